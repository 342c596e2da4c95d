import type { StandardNamespace } from '@postern/protocol/namespaces'
import type { ProviderOptions } from '../providers/options'
import { failure, ProviderRpcError } from '../shared/errors'
import { lazy } from '../shared/lazy'
import type { Adapters, Namespaces, Providers } from './contract'
import type { Identity } from './eip155/announce'
import { finders, findWallets } from './find-wallets'

export type NamespacesOptions = {
  readonly window: Window & typeof globalThis
  readonly randomId: () => string
  readonly sdk: string
  readonly namespaces: readonly StandardNamespace[]
  readonly page: ProviderOptions
  readonly isAnnounced: boolean
  readonly identity: Identity
  readonly onWallets: () => void
}

export function createNamespacesWith(
  loadAdapters: () => Promise<Adapters>,
  { window, namespaces, page, isAnnounced, ...rest }: NamespacesOptions,
): Namespaces {
  let isStopped = false
  const adapters = lazy(
    loadAdapters,
    ({ createProviders }) => {
      if (isStopped) throw new ProviderRpcError(failure('DESTROYED'))
      return createProviders(page, wallets.list, rest.sdk)
    },
    (cause) => new ProviderRpcError(failure('LOAD_FAILED', cause)),
  )

  async function providers(earlier = page.getSnapshot()): Promise<Providers> {
    return (await adapters.get()).since(earlier)
  }

  const wallets = findWallets({
    window,
    randomId: rest.randomId,
    namespaces,
    ownName: rest.identity.name,
    adapt: async (source) => (await loadAdapters()).adapt(source),
    onChange: rest.onWallets,
  })
  const announced = namespaces.filter(() => isAnnounced)
  const unlists = announced.map((namespace) => finders[namespace].announce?.(window, rest.identity, providers))
  return {
    list: wallets.list,
    get: wallets.get,
    providers,
    stop() {
      isStopped = true
      for (const unlist of unlists) unlist?.()
      wallets.stop()
      adapters.value?.stop()
    },
  }
}
