import { createPosternWith } from './create-postern'
import { loadModal } from './load-modal'
import { showPlainAlert } from './plain-alert'
import type { Postern, PosternOptions } from './types'

/**
 * Returns this page's instance for a project, always the same one: safe in components and hot-reloaded modules.
 * Disconnected and without DOM access on a server.
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
      // Names what it takes: `scripts/extended-prototype.mjs` says what a whole module may become.
      loadNamespaces: () => import('./namespaces/index').then(({ createNamespaces }) => ({ createNamespaces })),
      hostFiles: [],
    },
    options,
  )
}

export { PosternError, ProviderRpcError } from './errors'
export type * from './types'
export { version } from './version'
