import type { HostParams, PageWallet } from '@postern/protocol'
import type { NetworkDefinition, NetworkInput, PosternOptions, Theme, ViemChain } from '../types'
import { modalFailure } from './failures'

export type InitOptions = {
  readonly window: Window & typeof globalThis
  readonly dapp: PosternOptions
  readonly theme: Theme
  readonly colorScheme: 'light' | 'dark'
  readonly pageWallets: PageWallet[]
  /** A connection of this visit, which a reloaded frame restores. */
  readonly isConnected: boolean
  readonly stored: Record<string, string>
}

/** The dapp's options as plain data. Throws SIWX_CONFLICT. */
export function createInit({ window, dapp, isConnected, ...page }: InitOptions): HostParams<'init'> {
  const { document, location, navigator } = window
  if (dapp.siwx && dapp.siweConfig) throw modalFailure('SIWX_CONFLICT')
  const unknown = Object.keys(dapp).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length > 0) window.console.warn(`Postern ignores options that it does not know: ${unknown.join(', ')}`)
  const locale = (dapp.locale ?? (document.documentElement.lang || navigator.language)).slice(0, 35)
  return {
    projectId: dapp.projectId,
    networks: copy(dapp.networks)?.map(toDefinition) ?? [],
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
    termsConditionsUrl: dapp.termsConditionsUrl,
    privacyPolicyUrl: dapp.privacyPolicyUrl,
    autoReconnect: dapp.autoReconnect === false && !isConnected ? false : undefined,
    signIn: dapp.siwx ? 'siwx' : isOn(dapp.siweConfig) ? 'siwe' : undefined,
    ...page,
  }
}

/** The host reports what is unknown inside of them. */
const known: Readonly<Record<keyof PosternOptions, true>> = {
  projectId: true,
  networks: true,
  host: true,
  metadata: true,
  theme: true,
  locale: true,
  features: true,
  termsConditionsUrl: true,
  privacyPolicyUrl: true,
  featuredWallets: true,
  includeWallets: true,
  excludeWallets: true,
  customWallets: true,
  walletConnect: true,
  connectorTypeOrder: true,
  connectMethodsOrder: true,
  siwx: true,
  siweConfig: true,
  connectors: true,
  announce: true,
  autoReconnect: true,
}

export function isOn(siwe: PosternOptions['siweConfig']): siwe is NonNullable<typeof siwe> {
  return !!siwe && siwe.enabled !== false
}

/** A chain of viem as a definition; the host checks everything else. */
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

/** The host refuses what is no list. */
function copy<T>(list: readonly T[] | undefined): T[] | undefined
function copy(list: unknown): unknown {
  return Array.isArray(list) ? [...list] : list
}
