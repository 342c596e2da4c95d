import { failure, ProviderRpcError } from '../errors'
import { lazy } from '../lazy'
import { ownName } from '../providers/announce'
import type { ProviderOptions } from '../providers/options'
import type { Namespace, PosternOptions } from '../types'
import type { Adapters, Namespaces, Providers } from './contract'
import { findWallets } from './find-wallets'
import { registerStandardWallet } from './standard-wallet'

export type NamespacesOptions = {
  readonly window: Window & typeof globalThis
  readonly randomId: () => string
  readonly dapp: PosternOptions
  readonly page: ProviderOptions
  readonly loadAdapters: () => Promise<Adapters>
  readonly onWallets: () => void
}

/** The part that a page with Solana or Bitcoin loads at once. */
export function createNamespaces({ window, dapp, page, loadAdapters, ...rest }: NamespacesOptions): Namespaces {
  const namespaces: Namespace[] = []
  for (const network of dapp.networks ?? []) {
    const [family = ''] = (typeof network === 'string' ? network : network.id).split(/\W/)
    const namespace = family === 'solana' ? family : family === 'bitcoin' || family === 'bip122' ? 'bip122' : undefined
    if (namespace !== undefined && !namespaces.includes(namespace)) namespaces.push(namespace)
  }
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
  const unregister =
    dapp.announce === false || namespaces.length === 0
      ? () => {}
      : registerStandardWallet({ ...page, window, networks: dapp.networks, namespaces, load: providers })
  return {
    list: wallets.list,
    get: wallets.get,
    providers,
    stop() {
      isStopped = true
      unregister()
      wallets.stop()
      adapters.value?.stop()
    },
  }
}
