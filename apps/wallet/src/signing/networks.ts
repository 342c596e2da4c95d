import {
  type CaipNetworkId,
  currentNetworkId,
  isCaipNetworkId,
  namespaceOf,
  resolveNetwork,
  type WalletFramePage,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { isWalletNamespace, type WalletNamespace } from '@postern/protocol/namespaces'
import { factsOf, factsOfNetwork, walletNamespaceOf } from '../namespace-facts'
import type { Ladder } from '../storage/ladder'

export type Networks = {
  /** @throws {Failure} CHAIN_NOT_SUPPORTED */
  resolve(chainId: string | number): CaipNetworkId
  current(namespace: WalletNamespace): Promise<CaipNetworkId>
  select(networkId: CaipNetworkId): Promise<void>
  hasSmartAccounts(networkId: CaipNetworkId): boolean
}

export type NetworksOptions = {
  readonly page: Pick<WalletFramePage, 'networks' | 'smartAccounts'>
  readonly initial: string
  readonly ladder: Ladder
}

/**
 * The networks that the wallet supports: this gateway's and the built-in ones.
 *
 * 1. Other networks, and namespaces without a key, are CHAIN_NOT_SUPPORTED.
 * 2. EVM's chosen network is stored; others last as long as the frame.
 */
export function createNetworks({ page, initial, ladder }: NetworksOptions): Networks {
  const knownId = (text: string): CaipNetworkId | null => {
    const id = resolveNetwork(text, page.networks)?.id
    return id !== undefined && isWalletNamespace(namespaceOf(id)) ? id : null
  }
  const chosen = new Map<WalletNamespace, CaipNetworkId>()
  const start = knownId(initial)
  if (start !== null) chosen.set(walletNamespaceOf(start), start)

  return {
    resolve(chainId) {
      const id = knownId(readChainId(chainId))
      if (id === null) throw new Failure('CHAIN_NOT_SUPPORTED')
      return id
    },
    async current(namespace) {
      const held = chosen.get(namespace)
      if (held !== undefined) return held
      const { isChoiceStored, firstNetwork } = factsOf(namespace)
      if (isChoiceStored) {
        const { networkId = '' } = await (await ladder.current()).store.preferences()
        const kept = knownId(networkId)
        if (kept !== null && namespaceOf(kept) === namespace) return kept
      }
      const own = page.networks.find(({ id }) => namespaceOf(id) === namespace)
      return knownId(firstNetwork) ?? own?.id ?? firstNetwork
    },
    async select(networkId) {
      chosen.set(walletNamespaceOf(networkId), networkId)
      if (!factsOfNetwork(networkId).isChoiceStored) return
      const { store } = await ladder.current()
      await store.updatePreferences((preferences) => ({ ...preferences, networkId }))
    },
    hasSmartAccounts: (networkId) => page.smartAccounts.some(({ chainId }) => networkId === `eip155:${chainId}`),
  }
}

/** A bare number, decimal or 0x hex, is an EVM chain id. */
function readChainId(chainId: string | number): string {
  if (typeof chainId === 'number') return `eip155:${chainId}`
  if (isCaipNetworkId(chainId)) return currentNetworkId(chainId)
  if (/^0x[0-9a-fA-F]{1,13}$/.test(chainId)) return `eip155:${Number(chainId)}`
  return `eip155:${chainId}`
}
