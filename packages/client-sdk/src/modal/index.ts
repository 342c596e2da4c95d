/** The code of the modal, in one chunk. */
export { showAlert } from './alert'
export { createModal } from './modal'
