import type { ModalActions } from '../snapshot/actions'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'

export function createModalActions(store: SnapshotStore, modal: Modal): ModalActions {
  return {
    close: () => void modal.close(),
    notify: modal.notify,
    dismissAlert: modal.dismissAlert,
    acceptLegal: (accepted) => store.setState(({ legal }) => ({ legal: legal && { ...legal, accepted } })),
  }
}
