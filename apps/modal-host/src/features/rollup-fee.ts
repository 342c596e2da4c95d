import { systemClock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import { chainIdOf } from '@postern/chains/eip155/adapter'
import { rollupFee } from '@postern/chains/eip155/rollup-fee'
import { serialize } from 'ox/TxEnvelopeEip1559'

export type PlannedCall = {
  readonly to: string
  /** In wei. */
  readonly value: bigint
  readonly data: string
  readonly gas: bigint
  /** In wei per gas. */
  readonly price: bigint
}

/** Each block may raise the price by an eighth, on L1 too: twice the fee covers five blocks. */
export const maxFeeFactor = 2n

/** A nonce of typical length. Its bytes differ, because repeated ones compress better. */
const someNonce = 0x01020304n

/** In wei; 0 if the network charges only gas × price. Rejects like `packages/chains/src/eip155/rollup-fee.ts`. */
export function rollupFeeOfCall(client: ChainClient, call: PlannedCall, signal?: AbortSignal): Promise<bigint> {
  const { to, value, data, gas, price } = call
  const unsigned = serialize({
    type: 'eip1559',
    chainId: chainIdOf(client.networkId),
    nonce: someNonce,
    to: `0x${to.slice(2)}`,
    value,
    data: `0x${data.slice(2)}`,
    gas,
    maxFeePerGas: 2n * price,
    maxPriorityFeePerGas: price,
  })
  return rollupFee(chainOf(client, signal), { unsigned }, gas)
}

export function rollupFeeOfSize(client: ChainClient, size: number, gas: bigint, signal?: AbortSignal): Promise<bigint> {
  return rollupFee(chainOf(client, signal), { size }, gas)
}

function chainOf({ networkId, rpc }: ChainClient, signal: AbortSignal | undefined) {
  return {
    networkId,
    cacheKey: rpc,
    now: systemClock().now,
    ask: (method: string, params: readonly unknown[]) => rpc.request({ method, params }, signal),
  }
}
