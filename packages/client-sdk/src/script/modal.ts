/** `postern-modal.js`: loaded on intent. */
export { diagnose } from '../diagnose'
export { createModal } from '../modal/modal'
