import { type CaipNetworkId, type Namespace, parseCaipNetworkId } from '@postern/protocol'
import { namespaceFacts } from '@postern/protocol/namespaces/facts'

export type NamespaceFacts = {
  /** Named by an address. */
  readonly hasTokens: boolean
  /** Its accounts may be smart, have a project name, and grant permissions. */
  readonly hasSmartAccounts: boolean
  /** The wallet may report the tokens of its accounts (EIP-7811). */
  readonly walletListsTokens: boolean
  /** Requests name their account, so the user chooses one of the wallet's. */
  readonly requestsNameAccount: boolean
  /** Requests may be for another network than the connection's. */
  readonly requestsNameNetwork: boolean
  /** What was sent does not expire within minutes. */
  readonly sentCanWait: boolean
  /** Blocks are minutes apart. */
  readonly hasSlowBlocks: boolean
}

const facts = {
  eip155: {
    hasTokens: true,
    hasSmartAccounts: true,
    walletListsTokens: true,
    requestsNameAccount: true,
    requestsNameNetwork: false,
    sentCanWait: true,
    hasSlowBlocks: false,
  },
  solana: {
    hasTokens: true,
    hasSmartAccounts: false,
    walletListsTokens: false,
    requestsNameAccount: false,
    requestsNameNetwork: true,
    sentCanWait: false,
    hasSlowBlocks: false,
  },
  bip122: {
    hasTokens: false,
    hasSmartAccounts: false,
    walletListsTokens: false,
    requestsNameAccount: false,
    requestsNameNetwork: false,
    sentCanWait: true,
    hasSlowBlocks: true,
  },
} satisfies Record<Namespace, NamespaceFacts>

export function factsOf(namespace: Namespace): NamespaceFacts {
  return facts[namespace]
}

export function factsOfNetwork(networkId: CaipNetworkId): NamespaceFacts {
  return facts[parseCaipNetworkId(networkId).namespace]
}

export function namespaceWords(namespace: Namespace): { readonly namespace: Namespace; readonly chain: string } {
  return { namespace, chain: namespaceFacts[namespace].name }
}
