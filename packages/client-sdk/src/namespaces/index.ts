import { createNamespacesWith, type NamespacesOptions } from './namespaces'

export function createNamespaces(options: NamespacesOptions) {
  return createNamespacesWith(() => import('../adapters/index'), options)
}
