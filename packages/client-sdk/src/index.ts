import { createPosternWith } from './create-postern'
import type { Postern, PosternOptions } from './types'

/**
 * The instance of this page for a project. Touches the DOM only in a browser; on a server it is an instance at which nobody is connected.
 * Called again for the same project it returns the same one, so it may stand in a component or a module that is reloaded.
 *
 * @example
 * const postern = createPostern({ projectId: 'demo', networks: ['ethereum', 'base'] })
 * button.onclick = () => postern.open()
 */
export function createPostern(options: PosternOptions): Postern {
  return createPosternWith(
    {
      loadModal: () => import('./modal/modal'),
      loadAlert: () => import('./modal/alert'),
      loadDiagnose: () => import('./diagnose'),
      loadNamespaces: () => import('./namespaces/namespaces'),
      loadAdapters: () => import('./adapters/adapt'),
    },
    options,
  )
}

export { PosternError, ProviderRpcError } from './errors'
export type * from './types'
export { version } from './version'
