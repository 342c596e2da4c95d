import { createPosternWith } from './instance/create-postern'
import { loadModal } from './load-modal'
import { showPlainAlert } from './plain-alert'
import type { Postern, PosternOptions } from './types/index'

/**
 * Returns the page's instance for a project; every call returns the same one.
 * On a server it is disconnected.
 *
 * @example
 * const postern = createPostern({ projectId: 'demo', networks: ['ethereum', 'base'] })
 * button.onclick = () => postern.open()
 */
export function createPostern(options: PosternOptions): Postern {
  return createPosternWith(
    {
      loadModal,
      loadAlert: () => loadModal().catch(() => ({ showAlert: showPlainAlert })),
      // One export, because a whole module may be a namespace object (`scripts/extended-prototype.mjs`).
      loadNamespaces: () => import('./namespaces/index').then(({ createNamespaces }) => ({ createNamespaces })),
      hostFiles: [],
    },
    options,
  )
}

export { version } from './instance/version'
export { PosternError, ProviderRpcError } from './shared/errors'
export type * from './types/index'
