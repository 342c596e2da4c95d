import {
  builtInNetworks,
  type CaipNetworkId,
  isAddressOf,
  isCaipAddress,
  isCaipNetworkId,
  type Namespace,
  type NetworkDefinition,
  namespaces,
  parseCaipAddress,
  parseCaipNetworkId,
  resolveNetwork,
} from '@postern/protocol'
import { base58 } from '@scure/base'
import { problem } from '../../platform/http/problem'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'

export type Account = { readonly namespace: Namespace; readonly address: string }

export type KnownNetwork = {
  readonly id: CaipNetworkId
  readonly namespace: Namespace
  readonly urls: readonly string[]
  readonly definition: NetworkDefinition
  /** Read if no network is named. */
  readonly isCommon: boolean
}

/** A plain address or CAIP-10 account; EVM addresses in lower case. @throws {Problem} 400 */
export function readAccount(text: string): Account {
  const address = isCaipAddress(text) ? parseCaipAddress(text).address : text
  const named = isCaipAddress(text) ? parseCaipAddress(text).namespace : null
  const namespace = named ?? namespaces.find((each) => isAccountOf(each, address))
  if (namespace === undefined || !isAccountOf(namespace, address)) {
    throw problem(400, 'address', 'This is no address that is known here')
  }
  return { namespace, address: addressRules[namespace].normalize(address) }
}

type AddressRules = {
  /** If {@link isAddressOf} allows the text. */
  readonly isAccount: (address: string) => boolean
  readonly normalize: (address: string) => string
  readonly isOn: (id: CaipNetworkId, address: string) => boolean
}

const bitcoinMainnet = 'bip122:000000000019d6689c085ae165831e93'

const addressRules = {
  eip155: {
    isAccount: () => true,
    normalize: (address) => (address.startsWith('0x') ? address : `0x${address}`).toLowerCase(),
    isOn: () => true,
  },
  solana: {
    // A legacy Bitcoin address is base58 too.
    isAccount: (address) => base58.decode(address).length === 32,
    normalize: (address) => address,
    isOn: () => true,
  },
  bip122: {
    isAccount: () => true,
    normalize: (address) => address,
    // BIP-173, and the version bytes of Base58Check.
    isOn: (id, address) => /^(?:bc1|[13])/i.test(address) === (id === bitcoinMainnet),
  },
} satisfies Record<Namespace, AddressRules>

function isAccountOf(namespace: Namespace, address: string): boolean {
  return isAddressOf(namespace, address) && addressRules[namespace].isAccount(address)
}

export function knownNetworks(networks: readonly GatewayNetwork[]): ReadonlyMap<CaipNetworkId, KnownNetwork> {
  const builtIn = new Set(Object.values(builtInNetworks).map(({ id }) => id))
  const known = new Map<CaipNetworkId, KnownNetwork>()
  for (const { id, upstreams, definition: own } of networks) {
    const definition = own ?? resolveNetwork(id)
    if (definition === null) continue
    const { namespace } = parseCaipNetworkId(id)
    const isCommon = !builtIn.has(id) || definition.testnet !== true
    known.set(id, { id, namespace, urls: upstreams, definition, isCommon })
  }
  return known
}

/** Empty if not served here, or if the account cannot be on the network. @throws {Problem} 400 */
export function networksOf(
  networks: ReadonlyMap<CaipNetworkId, KnownNetwork>,
  { namespace, address }: Account,
  chainId: string | undefined,
): KnownNetwork[] {
  if (chainId !== undefined && !isCaipNetworkId(chainId)) throw problem(400, 'chainId', 'This is no CAIP-2 id')
  const named = chainId === undefined ? undefined : networks.get(chainId)
  const candidates =
    chainId === undefined ? [...networks.values()].filter(({ isCommon }) => isCommon) : named ? [named] : []
  return candidates.filter(
    (network) => network.namespace === namespace && addressRules[namespace].isOn(network.id, address),
  )
}
