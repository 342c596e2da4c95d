import type { SnapshotStore } from './store'

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
