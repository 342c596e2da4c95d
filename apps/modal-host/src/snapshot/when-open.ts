import type { SnapshotStore } from './store'

/** Once the modal is open; at once where it is. */
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
