/** The code of the modal, in one chunk. */
export { showAlert } from './alert/alert'
export { diagnose } from './diagnose'
export { createModal } from './modal'
