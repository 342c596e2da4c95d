import { failure, ProviderRpcError } from '../errors'
import { lazy } from '../lazy'
import { ownName } from '../providers/announce'
import type { ProviderOptions } from '../providers/options'
import type { Namespace } from '../types'
import type { Adapters, Namespaces, Providers } from './contract'
import { findWallets } from './find-wallets'

export type NamespacesOptions = {
  readonly window: Window & typeof globalThis
  readonly randomId: () => string
  /** Without EVM. */
  readonly namespaces: readonly Namespace[]
  readonly page: ProviderOptions
  readonly loadAdapters: () => Promise<Adapters>
  readonly onWallets: () => void
}

/** The part that a page with Solana or Bitcoin loads at once. */
export function createNamespaces({ window, namespaces, page, loadAdapters, ...rest }: NamespacesOptions): Namespaces {
  let isStopped = false
  const adapters = lazy(
    loadAdapters,
    ({ createProviders }) => {
      if (isStopped) throw new ProviderRpcError(failure('DESTROYED'))
      return createProviders(page, wallets.list)
    },
    (cause) => new ProviderRpcError(failure('IFRAME_LOAD_FAILED', cause)),
  )

  async function providers(): Promise<Providers> {
    const snapshot = page.getSnapshot()
    return (await adapters.get()).since(snapshot)
  }

  const wallets = findWallets({
    window,
    randomId: rest.randomId,
    namespaces,
    ownName,
    adapt: async (source) => (await loadAdapters()).adapt(source),
    onChange: rest.onWallets,
  })
  return {
    list: wallets.list,
    get: wallets.get,
    providers,
    stop() {
      isStopped = true
      wallets.stop()
      adapters.value?.stop()
    },
  }
}
