/** `postern-adapters.js` */
export { adapt, createProviders } from '../adapters/index'
