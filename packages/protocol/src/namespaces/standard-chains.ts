import { bip122Chains } from './bip122'
import { type CaipNetworkId, isStandardNamespace, namespaces, type StandardNamespace, standardPrefixes } from './index'
import { solanaChains } from './solana'

const chains: Readonly<Record<StandardNamespace, Readonly<Record<string, CaipNetworkId>>>> = {
  solana: solanaChains,
  bip122: bip122Chains,
}

/** Networks by their Wallet Standard names, such as `bitcoin:signet`. */
export const standardChains: Readonly<Record<string, CaipNetworkId>> = Object.fromEntries(
  namespaces
    .filter(isStandardNamespace)
    .flatMap((namespace) =>
      Object.entries(chains[namespace]).map(([name, id]) => [`${standardPrefixes[namespace]}:${name}`, id]),
    ),
)
