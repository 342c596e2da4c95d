/** `postern-modal.js`: loads before the click, or with it. */
export { diagnose } from '../modal/diagnose'
export { createModal } from '../modal/modal'
