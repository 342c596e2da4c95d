/** The code of the modal, in one chunk, and what `diagnose` shares with it. */
export { showAlert } from './alert'
export { createModal } from './modal'
export { originsUrl, refusalOf } from './origin-check'
