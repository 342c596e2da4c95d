import { typed } from '../namespaces/eip155/provider'
import { deferProviders } from '../providers/deferred'
import { failure, ProviderRpcError } from '../shared/errors'
import { noop } from '../shared/noop'
import { emptySnapshot } from '../state/state'
import type { Eip1193Provider, Postern, PosternOptions } from '../types/index'
import { createInstance, type Environment } from './instance'
import { instanceOf, registryOf } from './registry'
import { defaultHost, version } from './version'

export type Loaders = Pick<Environment, 'loadModal' | 'loadAlert' | 'loadNamespaces' | 'hostFiles'>

export function createPosternWith(loaders: Loaders, options: PosternOptions): Postern {
  if (typeof window === 'undefined') return serverInstance()
  const { console: page } = window
  const registry = registryOf(window)
  const isFirstOnPage = registry.instances.size === 0
  const environment = { window, sdk: version, host: defaultHost, isFirstOnPage, ...loaders }
  const fullOptions: PosternOptions = { ...options, projectId: (options.projectId ?? '').trim() }
  return instanceOf(
    registry,
    fullOptions,
    (text) => page.warn(text),
    (onDestroy) => createInstance(environment, fullOptions, onDestroy),
  )
}

function serverInstance(): Postern {
  const refuse = () => Promise.reject(failure('DISCONNECTED'))
  const never = () => Promise.reject(new ProviderRpcError(failure('DISCONNECTED')))
  const provider: Eip1193Provider = {
    request: typed(({ method }) => (method === 'eth_accounts' ? Promise.resolve([]) : never())),
    on: () => provider,
    removeListener: () => provider,
  }
  return {
    eip155: provider,
    ...deferProviders(never, () => emptySnapshot),
    open: refuse,
    close: refuse,
    connect: refuse,
    pay: refuse,
    disconnect: refuse,
    switchNetwork: refuse,
    getIdentityToken: refuse,
    getWallets: refuse,
    getProfile: refuse,
    setTheme: noop,
    setOptions: noop,
    on: () => noop,
    subscribe: () => noop,
    getSnapshot: () => emptySnapshot,
    getServerSnapshot: () => emptySnapshot,
    prewarm: noop,
    diagnose: () => Promise.resolve([]),
    destroy: noop,
  }
}
