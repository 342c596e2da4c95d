import type { PageWallet } from '@postern/protocol'
import type { Providers } from '../adapters/providers'
import { failure, ProviderRpcError } from '../errors'
import type { WalletProvider } from '../page-wallets/discovery'
import { ownName } from '../providers/announce'
import type { ProviderOptions } from '../providers/options'
import type { Namespace, PosternOptions } from '../types'
import { registerStandardWallet } from './standard-wallet'
import { findWallets } from './wallets'

export type Adapters = Pick<typeof import('../adapters/adapt'), 'adapt' | 'createProviders'>

export type NamespacesOptions = {
  readonly window: Window & typeof globalThis
  readonly randomId: () => string
  readonly dapp: PosternOptions
  readonly page: ProviderOptions
  readonly loadAdapters: () => Promise<Adapters>
  readonly onWallets: () => void
}

export type Namespaces = {
  list(): PageWallet[]
  get(id: string): WalletProvider | undefined
  providers(): Promise<Providers>
  stop(): void
}

/** The part that a page with Solana or Bitcoin loads at once. */
export function createNamespaces({ window, dapp, page, loadAdapters, ...rest }: NamespacesOptions): Namespaces {
  const wanted: Namespace[] = []
  for (const network of dapp.networks ?? []) {
    const [family = ''] = (typeof network === 'string' ? network : network.id).split(/\W/)
    const namespace = family === 'solana' ? family : family === 'bitcoin' || family === 'bip122' ? 'bip122' : undefined
    if (namespace !== undefined && !wanted.includes(namespace)) wanted.push(namespace)
  }
  let loading: Promise<Providers> | undefined
  let stopped = false
  let stopProviders = () => {}

  async function providers(): Promise<Providers> {
    const seen = page.getSnapshot()
    return (await load()).since(seen)
  }

  function load(): Promise<Providers> {
    loading ??= loadAdapters().then(
      ({ createProviders }) => {
        if (stopped) throw new ProviderRpcError(failure('DESTROYED'))
        const made = createProviders(page, wallets.list)
        stopProviders = made.stop
        return made
      },
      (cause) => {
        loading = undefined
        throw new ProviderRpcError(failure('IFRAME_LOAD_FAILED', cause))
      },
    )
    return loading
  }

  const wallets = findWallets({
    window,
    randomId: rest.randomId,
    wanted,
    ownName,
    adapt: async (source) => (await loadAdapters()).adapt(source),
    onChange: rest.onWallets,
  })
  const unregister =
    dapp.announce === false || wanted.length === 0
      ? () => {}
      : registerStandardWallet({ ...page, window, networks: dapp.networks, wanted, load: providers })
  return {
    list: wallets.list,
    get: wallets.get,
    providers,
    stop() {
      stopped = true
      unregister()
      wallets.stop()
      stopProviders()
    },
  }
}
