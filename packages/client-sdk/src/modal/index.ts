export { showAlert } from './alert/alert'
export { diagnose } from './diagnose'
export { createModal } from './modal'
