import type { HostParams, PageWallet } from '@postern/protocol'
import type { PosternOptions, Theme } from '../types'

export type InitOptions = {
  readonly window: Window & typeof globalThis
  readonly dapp: PosternOptions
  readonly theme: Theme
  readonly colorScheme: 'light' | 'dark'
  readonly pageWallets: PageWallet[]
  /** What the host asked the page to keep. */
  readonly stored: Record<string, string>
}

/** What a link begins with: the dapp's options as plain data, and where the page stands. */
export function createInit({ window, dapp, ...page }: InitOptions): HostParams<'init'> {
  const { document, location, navigator } = window
  const locale = (dapp.locale ?? (document.documentElement.lang || navigator.language)).slice(0, 35)
  return {
    projectId: dapp.projectId,
    networks: [...(dapp.networks ?? [])],
    metadata: dapp.metadata ?? { name: document.title.slice(0, 256) || location.host, url: location.origin },
    locale: locale || undefined,
    featuredWallets: copy(dapp.featuredWallets),
    includeWallets: copy(dapp.includeWallets),
    excludeWallets: copy(dapp.excludeWallets),
    customWallets: copy(dapp.customWallets),
    walletConnect: dapp.walletConnect,
    connectorTypeOrder: copy(dapp.connectorTypeOrder),
    connectMethodsOrder: copy(dapp.connectMethodsOrder),
    features: dapp.features,
    ...page,
  }
}

function copy<T>(list: readonly T[] | undefined): T[] | undefined {
  return list && [...list]
}
