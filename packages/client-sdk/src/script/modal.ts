/** `postern-modal.js` */
export { diagnose } from '../modal/diagnose'
export { createModal } from '../modal/modal'
