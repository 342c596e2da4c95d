/** What a rollup takes for a transaction that the wallet has yet to make. */

import type { ChainClient } from '@postern/chains/chain-client'
import { chainIdOf } from '@postern/chains/eip155'
import { rollupFee } from '@postern/chains/rollup-fee'
import { systemClock } from '@postern/protocol/clock'
import { serialize } from 'ox/TxEnvelopeEip1559'

export type ComingCall = {
  readonly to: string
  /** Wei. */
  readonly value: bigint
  readonly data: string
  readonly gas: bigint
  /** Wei a unit of gas. */
  readonly price: bigint
}

/** How many times the price of the next block a wallet may offer: each block may raise it by an eighth, the layer below too, so that six of them do not outbid it. */
export const mostOffered = 2n

/** As long as most accounts' and written with other bytes: what repeats weighs less. */
const someNonce = 0x01020304n

/** Wei at the prices of the newest block; 0 where the network takes nothing beside gas × price. Rejects as `chains/rollup-fee.ts` says. */
export function rollupFeeOfCall(client: ChainClient, call: ComingCall, signal?: AbortSignal): Promise<bigint> {
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

/** The same for so many bytes, whatever they are. */
export function rollupFeeOfSize(client: ChainClient, size: number, gas: bigint, signal?: AbortSignal): Promise<bigint> {
  return rollupFee(chainOf(client, signal), { size }, gas)
}

function chainOf({ networkId, rpc }: ChainClient, signal: AbortSignal | undefined) {
  return {
    networkId,
    keptBy: rpc,
    now: systemClock().now,
    ask: (method: string, params: readonly unknown[]) => rpc.request({ method, params }, signal),
  }
}
