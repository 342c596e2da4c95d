/** `postern-namespaces.js`: loads on pages with Solana or Bitcoin networks. */
export { createNamespacesWith } from '../namespaces/namespaces'
