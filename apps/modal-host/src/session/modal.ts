import { alertOf, type ErrorCode } from '@postern/protocol'
import type { HostSnapshot, Snackbar } from './contract'
import type { SnapshotStore } from './snapshot'

/** Opening, closing, and what lies over every view. */
export type Modal = {
  /** Which view an opening without one shows is decided in `opening.ts`. */
  open(view: HostSnapshot['opening']['view']): void
  /** Says whether it closed: not while closing is disabled, then the card shakes. */
  close(): boolean
  onClose(listener: () => void): () => void
  notify(text: string, tone?: Snackbar['tone']): void
  /** Only codes that have an alert. `values` fill the names in braces of the alert's text. */
  alert(code: ErrorCode, values?: Readonly<Record<string, string>>): void
  dismissAlert(): void
}

/** `isCloseDisabled` holds while the visitor has to answer first (spec §4). */
export function createModal(store: SnapshotStore, isCloseDisabled: () => boolean): Modal {
  const closeListeners = new Set<() => void>()
  let snackbars = 0

  return {
    open(view) {
      const { opening } = store.getState()
      store.setState({
        open: true,
        opening: { key: opening.key + 1, view },
        switchAttempt: null,
      })
    },
    close() {
      if (!store.getState().open) return true
      if (isCloseDisabled()) {
        store.setState(({ refusedCloses }) => ({ refusedCloses: refusedCloses + 1 }))
        return false
      }
      store.setState({ open: false, snackbar: null })
      for (const listener of [...closeListeners]) listener()
      return true
    },
    onClose(listener) {
      closeListeners.add(listener)
      return () => {
        closeListeners.delete(listener)
      }
    },
    notify(text, tone = 'neutral') {
      snackbars += 1
      store.setState({ snackbar: { key: snackbars, tone, text } })
    },
    alert(code, values = {}) {
      const text = alertOf(code, values)
      if (text === null) throw new TypeError(`${code} is no alert`)
      store.setState({ alert: { code, ...text } })
    },
    dismissAlert() {
      store.setState({ alert: null })
    },
  }
}
