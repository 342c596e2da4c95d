/** How large a response to each method may be, in bytes. */

/** A number, a hash or an address, and the rest of a JSON-RPC response or error. */
const shortBytes = 65_536
const shortMethods: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_chainId',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'getBalance',
  'getBlockHeight',
  'getLatestBlockhash',
  'getSlot',
])

/** The methods' limits together, never above `maxBytes`. */
export function maxBytesOf(calls: readonly { readonly method: string }[], maxBytes: number): number {
  return calls.every(({ method }) => shortMethods.has(method))
    ? Math.min(maxBytes, calls.length * shortBytes)
    : maxBytes
}
