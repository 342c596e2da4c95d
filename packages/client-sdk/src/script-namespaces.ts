/** `postern-namespaces.js`: what `postern.js` loads for a page with Solana or Bitcoin networks. */
export { createNamespaces } from './namespaces/namespaces'
