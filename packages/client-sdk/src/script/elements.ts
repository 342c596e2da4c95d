/** `postern-elements.js`: loaded for a button in another language, or with the account's name, picture or balance. */
export { readExtras } from '../elements/extras'
