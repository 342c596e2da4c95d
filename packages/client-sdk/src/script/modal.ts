/** `postern-modal.js`: loaded before the click, or with it. */
export { diagnose } from '../diagnose'
export { createModal } from '../modal/modal'
