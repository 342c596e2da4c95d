import { failure, ProviderRpcError } from '../errors'
import { lazy } from '../lazy'
import { noop } from '../noop'
import type { ProviderOptions } from '../providers/options'
import type { Namespace } from '../types'
import { announceBitcoin } from './bip122/announce'
import type { Adapters, Namespaces, Providers } from './contract'
import type { Identity } from './eip155/announce'
import { findWallets } from './find-wallets'

export type NamespacesOptions = {
  readonly window: Window & typeof globalThis
  readonly randomId: () => string
  /** The SDK's version. */
  readonly sdk: string
  /** Without EVM. */
  readonly namespaces: readonly Namespace[]
  readonly page: ProviderOptions
  readonly isAnnounced: boolean
  readonly identity: Identity
  readonly onWallets: () => void
}

/** The part that a page with Solana or Bitcoin loads at once. */
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
  const unlist = isAnnounced && namespaces.includes('bip122') ? announceBitcoin(window, rest.identity, providers) : noop
  return {
    list: wallets.list,
    get: wallets.get,
    providers,
    stop() {
      isStopped = true
      unlist()
      wallets.stop()
      adapters.value?.stop()
    },
  }
}
