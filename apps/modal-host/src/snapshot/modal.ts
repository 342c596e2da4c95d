import { alertOf, type ErrorCode, errors, type SwapArguments } from '@postern/protocol'
import type { HostSnapshot } from './host-snapshot'
import type { CommonText, Snackbar } from './message'
import type { SignInPrompt } from './sign-in-prompt'
import type { SnapshotStore } from './store'
import { isPromptView, type View } from './views'

export type Modal = {
  open(view: View, swap?: SwapArguments): void
  /** False while closing is disabled; the card then shakes. */
  close(): boolean
  onClose(listener: () => void): () => void
  /** `text`: translated, or the protocol's English with its key in `common`. */
  notify(text: string, tone?: Snackbar['tone'], common?: CommonText): void
  notifyFailure(code: ErrorCode, message?: string): void
  alert(code: ErrorCode, values?: Readonly<Record<string, string>>): void
  setAlertValues(values: Readonly<Record<string, string>>): void
  /** Only for a failure that the developer, the operator or the device's clock causes (spec §8). */
  alertFailure(code: ErrorCode): boolean
  dismissAlert(): void
}

const alertedFailures: ReadonlySet<ErrorCode> = new Set([
  'ORIGIN_NOT_ALLOWED',
  'INVALID_PROJECT_ID',
  'IFRAME_LOAD_FAILED',
  'IFRAME_REQUEST_TIMEOUT',
  'SESSION_EXPIRED',
])

/**
 * A required sign-in shows only itself and its approval, and cannot be closed (spec §4). Closing another view returns
 * to it.
 */
export function createModal(store: SnapshotStore): Modal {
  const closeListeners = new Set<() => void>()
  let snackbars = 0
  let alertValues: Readonly<Record<string, string>> = {}

  const notify: Modal['notify'] = (text, tone = 'neutral', common) => {
    snackbars += 1
    store.setState({ snackbar: { key: snackbars, tone, text, common } })
  }

  const open: Modal['open'] = (view, swap) => {
    const { opening } = store.getState()
    const due = view === 'ApproveTransaction' ? null : dueView(store.getState())
    store.setState({
      open: true,
      opening: { key: opening.key + 1, view: due ?? view, ...(swap !== undefined && { swap }) },
      switchAttempt: null,
    })
  }

  const alert: Modal['alert'] = (code, own = {}) => {
    const values = { ...alertValues, ...own }
    const text = alertOf(code, values)
    if (text === null) throw new TypeError(`${code} is no alert`)
    store.setState({ alert: { code, ...text, values } })
  }

  return {
    open,
    close() {
      if (!store.getState().open) return true
      const due = dueView(store.getState())
      if (due !== null) {
        const { opening, approvals } = store.getState()
        if (approvals.length > 0 || isPromptView(opening.view))
          store.setState(({ refusedCloses }) => ({ refusedCloses: refusedCloses + 1 }))
        else open(due)
        return false
      }
      store.setState({ open: false, snackbar: null, alert: null })
      for (const listener of [...closeListeners]) listener()
      return true
    },
    onClose(listener) {
      closeListeners.add(listener)
      return () => {
        closeListeners.delete(listener)
      }
    },
    notify,
    notifyFailure: (code, message = errors[code].message) => notify(message, 'bad', `error.${code}`),
    alert,
    setAlertValues(values) {
      alertValues = values
    },
    alertFailure(code) {
      const isAlerted = alertedFailures.has(code)
      if (isAlerted) alert(code)
      return isAlerted
    },
    dismissAlert() {
      store.setState({ alert: null })
    },
  }
}

export function dueView({ signInPrompt }: Pick<HostSnapshot, 'signInPrompt'>): SignInPrompt['view'] | null {
  return signInPrompt?.isRequired === true ? signInPrompt.view : null
}
