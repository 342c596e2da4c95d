import { bip122Chains } from '@postern/protocol/namespaces/bip122'
import { readBitcoinBalances } from './accounts/bip122'
import { readBitcoinHistory } from './history/bip122'
import type { NamespaceReader } from './namespace-reader'

export const bip122: NamespaceReader = {
  isAccount: () => true,
  normalize: (address) => address,
  // Source: BIP-173, and the version bytes of Base58Check.
  isOn: (id, address) => /^(?:bc1|[13])/i.test(address) === (id === bip122Chains.mainnet),
  balances: readBitcoinBalances,
  history: readBitcoinHistory,
  historyNeedsIndexer: false,
  collectibles: null,
}
