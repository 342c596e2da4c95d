/** `postern-namespaces.js` */
export { createNamespacesWith } from '../namespaces/namespaces'
