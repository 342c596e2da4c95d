import type { HostParams, PageWallet } from '@postern/protocol'
import type { NetworkDefinition, NetworkInput, PosternOptions, Theme, ViemChain } from '../../types/index'
import { modalFailure } from '../failures'

export type InitOptions = {
  readonly window: Window & typeof globalThis
  readonly dapp: PosternOptions
  readonly theme: Theme
  readonly colorScheme: 'light' | 'dark'
  readonly pageWallets: PageWallet[]
  /** In this visit: a reloaded frame restores it. */
  readonly isConnected: boolean
  readonly stored: Record<string, string>
}

/** The host checks the options. @throws SIWX_CONFLICT */
export function createInit({ window, dapp, isConnected, ...page }: InitOptions): HostParams<'init'> {
  const { document, location, navigator } = window
  const { host, theme, connectors, announce, siwx, siweConfig, networks, autoReconnect, prewarm, ...forHost } = dapp
  if (siwx && siweConfig) throw modalFailure('SIWX_CONFLICT')
  // Removes a framework's proxies, which no port can carry.
  const sent: Pick<HostParams<'init'>, 'projectId'> & Partial<HostParams<'init'>> = JSON.parse(JSON.stringify(forHost))
  const locale = sent.locale ?? (document.documentElement.lang || navigator.language)
  return {
    ...sent,
    networks: networks?.map(toDefinition) ?? [],
    metadata: sent.metadata ?? { name: document.title.slice(0, 256) || location.host, url: location.origin },
    locale: locale.slice(0, 35) || undefined,
    autoReconnect: autoReconnect === false && !isConnected ? false : undefined,
    signIn: siwx ? 'siwx' : isOn(siweConfig) ? 'siwe' : undefined,
    ...page,
  }
}

export function isOn(siwe: PosternOptions['siweConfig']): siwe is NonNullable<typeof siwe> {
  return !!siwe && siwe.enabled !== false
}

function toDefinition(network: NetworkInput): string | NetworkDefinition {
  if (!isViemChain(network)) return network
  const { id, name, nativeCurrency, rpcUrls, blockExplorers = {}, testnet } = network
  const { name: currency, symbol, decimals } = nativeCurrency
  return {
    id: `eip155:${id}`,
    name,
    nativeCurrency: { name: currency, symbol, decimals },
    rpcUrls: [...(rpcUrls?.default?.http ?? [])],
    blockExplorers: Object.values(blockExplorers).map((explorer) => ({ name: explorer.name, url: explorer.url })),
    ...(testnet && { testnet }),
    fallback: true,
  }
}

function isViemChain(network: NetworkInput): network is ViemChain {
  return typeof network === 'object' && typeof network?.id === 'number'
}
