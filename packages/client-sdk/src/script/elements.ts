/** `postern-elements.js`: loads with a button in another language, or with name, picture or balance. */
export { readExtras } from '../elements/extras'
