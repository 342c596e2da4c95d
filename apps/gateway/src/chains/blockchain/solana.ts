import { base58 } from '@scure/base'
import { readSolanaBalances } from './accounts/solana'
import { readSolanaHistory } from './history/solana'
import type { NamespaceReader } from './namespace-reader'
import { readCompressed } from './nfts/compressed'
import { readSolanaCollectibles } from './nfts/solana'

export const solana: NamespaceReader = {
  // Base58 does not distinguish a legacy Bitcoin address from Solana's 32 bytes.
  isAccount: (address) => base58.decode(address).length === 32,
  normalize: (address) => address,
  isOn: () => true,
  balances: readSolanaBalances,
  history: readSolanaHistory,
  historyNeedsIndexer: false,
  async collectibles({ id }, address, { chain, readDas, now }) {
    const [whole, compressed] = await Promise.all([
      readSolanaCollectibles(chain, address),
      readDas(id, (node) => readCompressed(node, address, now), []),
    ])
    return [...whole, ...compressed]
  },
}
