import type { CaipNetworkId } from '../caip'
import type { NetworkDefinition } from '../entities/network-definition'

/** Name, symbol, decimals. */
type Currency = readonly [string, string, number]

export const ether: Currency = ['Ether', 'ETH', 18]

/**
 * Rows are compact, because the table is part of the modal's first load.
 *
 * @param id number: EVM chain id.
 * @param host of the explorer, without `https://`; '' for none.
 */
export function row(
  id: number | CaipNetworkId,
  name: string,
  explorer: string,
  host: string,
  [currency, symbol, decimals]: Currency = ether,
  testnet?: true,
): NetworkDefinition {
  return {
    id: typeof id === 'number' ? `eip155:${id}` : id,
    name,
    nativeCurrency: { name: currency, symbol, decimals },
    ...(host !== '' && { blockExplorers: [{ name: explorer, url: `https://${host}` }] }),
    ...(testnet && { testnet }),
  }
}
