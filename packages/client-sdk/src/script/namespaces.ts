/** `postern-namespaces.js`: loaded on pages with Solana or Bitcoin networks. */
export { createNamespacesWith } from '../namespaces/namespaces'
