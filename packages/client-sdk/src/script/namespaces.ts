/** `postern-namespaces.js`: loaded on pages with Solana or Bitcoin networks. */
export { createNamespaces } from '../namespaces/namespaces'
