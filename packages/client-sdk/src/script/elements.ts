/** `postern-elements.js` */
export { readExtras } from '../elements/extras'
