import { failure, ProviderRpcError } from './errors'
import { createInstance } from './instance'
import { instanceOf, registryOf } from './registry'
import { emptySnapshot } from './state'
import type { Eip1193Provider, Postern, PosternOptions } from './types'

declare const __POSTERN_VERSION__: string
declare const __POSTERN_HOST__: string

/** Set by the build. */
export const version = __POSTERN_VERSION__

/**
 * The instance of this page for a project. Touches the DOM only in a browser; on a server it is an instance at which nobody is connected.
 * Called again for the same project it returns the same one, so it may stand in a component or a module that is reloaded.
 *
 * @example
 * const postern = createPostern({ projectId: 'demo', networks: ['ethereum', 'base'] })
 * button.onclick = () => postern.open()
 */
export function createPostern(options: PosternOptions): Postern {
  if (typeof window === 'undefined') return serverInstance()
  const { console: page } = window
  const environment = { window, sdk: version, host: __POSTERN_HOST__ }
  const known: PosternOptions = { ...options, projectId: (options.projectId ?? '').trim() }
  return instanceOf(
    registryOf(window),
    known,
    (text) => page.warn(text),
    (onDestroy) => createInstance(environment, known, onDestroy),
  )
}

function serverInstance(): Postern {
  const refuse = () => Promise.reject(failure('DISCONNECTED'))
  const nothing = () => {}
  const provider: Eip1193Provider = {
    request: () => Promise.reject(new ProviderRpcError(failure('DISCONNECTED'))),
    on: () => provider,
    removeListener: () => provider,
  }
  return {
    eip155: provider,
    open: refuse,
    close: refuse,
    connect: refuse,
    disconnect: refuse,
    switchNetwork: refuse,
    setTheme: nothing,
    subscribe: () => nothing,
    getSnapshot: () => emptySnapshot,
    getServerSnapshot: () => emptySnapshot,
    prewarm: nothing,
    diagnose: () => Promise.resolve([]),
    destroy: nothing,
  }
}
