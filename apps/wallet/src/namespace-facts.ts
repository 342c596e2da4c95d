import { type CaipNetworkId, limits, namespaceOf } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { isWalletNamespace, type WalletNamespace } from '@postern/protocol/namespaces'

export type NamespaceFacts = {
  readonly firstNetwork: CaipNetworkId
  /** Whether the user's choice outlives the frame. */
  readonly isChoiceStored: boolean
  /** A signature is valid only on the network that it names. */
  readonly signsForOneNetwork: boolean
}

const facts = {
  eip155: {
    firstNetwork: `eip155:${limits.walletChainId}`,
    isChoiceStored: true,
    signsForOneNetwork: true,
  },
  solana: {
    firstNetwork: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    isChoiceStored: false,
    signsForOneNetwork: false,
  },
  bip122: {
    firstNetwork: 'bip122:000000000019d6689c085ae165831e93',
    isChoiceStored: false,
    signsForOneNetwork: false,
  },
} satisfies Record<WalletNamespace, NamespaceFacts>

export function factsOf(namespace: WalletNamespace): NamespaceFacts {
  return facts[namespace]
}

export function factsOfNetwork(networkId: CaipNetworkId): NamespaceFacts {
  return facts[walletNamespaceOf(networkId)]
}

/** @throws {Failure} CHAIN_NOT_SUPPORTED if the wallet has no key there */
export function walletNamespaceOf(networkId: CaipNetworkId): WalletNamespace {
  const namespace = namespaceOf(networkId)
  if (!isWalletNamespace(namespace)) throw new Failure('CHAIN_NOT_SUPPORTED')
  return namespace
}
