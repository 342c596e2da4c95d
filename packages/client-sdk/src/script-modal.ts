/** `postern-modal.js`: what `postern.js` loads on intent. */
export { diagnose } from './diagnose'
export { createModal } from './modal/modal'
