import type { SnapshotStore } from './store'

/** Calls `then` now if the modal is open, else when it opens. */
export function whenOpen(store: SnapshotStore, then: () => void): void {
  if (store.getState().open) {
    then()
    return
  }
  const stop = store.subscribe(({ open }) => {
    if (!open) return
    stop()
    then()
  })
}
