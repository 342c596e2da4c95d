/** `postern-elements.js`: for a button in another language, or with name, picture or balance. */
export { readExtras } from '../elements/extras'
