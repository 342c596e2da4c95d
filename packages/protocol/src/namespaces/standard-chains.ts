import { bip122, bip122Chains } from './bip122'
import type { CaipNetworkId } from './index'
import { solana, solanaChains } from './solana'

/** Networks by their Wallet Standard names, such as `bitcoin:signet`. */
export const standardChains: Readonly<Record<string, CaipNetworkId>> = {
  ...named(solana.alias, solanaChains),
  ...named(bip122.alias, bip122Chains),
}

function named(alias: string, chains: Readonly<Record<string, CaipNetworkId>>) {
  return Object.fromEntries(Object.entries(chains).map(([name, id]) => [`${alias}:${name}`, id]))
}
