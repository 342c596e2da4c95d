/** A number, hash or address in its envelope. */
const shortBytes = 65_536
const shortMethods: ReadonlySet<string> = new Set([
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_chainId',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'getBalance',
  'getBlockHeight',
  'getBlockTime',
  'getEpochInfo',
  'getFeeForMessage',
  'getGenesisHash',
  'getLatestBlockhash',
  'getMinimumBalanceForRentExemption',
  'getSlot',
  'getTokenAccountBalance',
  'getTokenSupply',
  'getVersion',
  'isBlockhashValid',
  'sendTransaction',
])

/** The methods' limits together, never above `maxBytes`. */
export function maxBytesOf(calls: readonly { readonly method: string }[], maxBytes: number): number {
  return calls.every(({ method }) => shortMethods.has(method))
    ? Math.min(maxBytes, calls.length * shortBytes)
    : maxBytes
}
