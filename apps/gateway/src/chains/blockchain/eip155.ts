import { getAddress } from 'viem'
import { readEvmBalances } from './accounts/eip155'
import { readEvmHistory } from './history/eip155'
import type { NamespaceReader } from './namespace-reader'
import { readCollectibles } from './nfts/holdings'

export const eip155: NamespaceReader = {
  isAccount: () => true,
  normalize: (address) => (address.startsWith('0x') ? address : `0x${address}`).toLowerCase(),
  isOn: () => true,
  balances: readEvmBalances,
  history: readEvmHistory,
  historyNeedsIndexer: true,
  collectibles: (_, address, { chain, logBlocks }) => readCollectibles(chain, getAddress(address), logBlocks),
}
