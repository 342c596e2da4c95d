/** What gas costs, and how much of it a call takes. */
import type { CaipNetworkId, GasPrices } from '@postern/protocol'
import { type Address, numberToHex } from 'viem'
import * as z from 'zod/mini'
import { ask, askAll, type Chain, Quantity } from '../chain'
import { createKept } from '../kept'
import type { Call } from './provider'

const FeeHistory = z.object({
  baseFeePerGas: z.array(Quantity).check(z.minLength(2)),
  reward: z.array(z.array(Quantity)),
})
/** Blocks that are looked back at, and what share of their transactions paid less. */
const blocks = 10
const percentiles = [25, 50, 90]
/** Milliseconds: shorter than a block of most networks. */
const keptFor = 5_000
const mostKept = 200

/** @throws {ChainError} and {UpstreamsFailedError} */
export type GasPriceSource = (id: CaipNetworkId, chain: Chain) => Promise<GasPrices>

/** What gas costs, kept for a moment: the transactions of one swap are built one after the other. @param now epoch milliseconds. */
export function createGasPrices(now: () => number): GasPriceSource {
  const kept = createKept<GasPrices>(keptFor, mostKept, now)
  return (id, chain) => kept.get(id, () => readGasPrices(chain))
}

/**
 * In wei. Where the network has a base fee: that of the next block and the middle of what the last ten blocks' transactions gave on top, at three
 * percentiles. Elsewhere the network's own word (`eth_gasPrice`) for all three.
 * @throws {ChainError} and {UpstreamsFailedError}
 */
async function readGasPrices(chain: Chain): Promise<GasPrices> {
  const [history] = await askAll(
    chain,
    [{ method: 'eth_feeHistory', params: [numberToHex(blocks), 'latest', percentiles] }],
    FeeHistory,
  )
  const base = history?.baseFeePerGas.at(-1)
  if (history == null || base === undefined || base === 0n || history.reward.length === 0) {
    const price = `${await ask(chain, { method: 'eth_gasPrice' }, Quantity)}`
    return { standard: price, fast: price, instant: price }
  }
  const tips = percentiles.map((_, at) => middle(history.reward.map((rewards) => rewards[at] ?? 0n)))
  const [standard = 0n, fast = 0n, instant = 0n] = tips.map((tip) => base + tip)
  return { standard: `${standard}`, fast: `${fast}`, instant: `${instant}` }
}

function middle(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

/** The chain's own estimate and a fifth, or what such a call usually takes where the chain says that it would fail now (not allowed yet, not enough of it). */
export async function estimateGas(chain: Chain, from: Address, { to, data, value, usualGas }: Call): Promise<bigint> {
  const params = [{ from, to, data, value: numberToHex(value) }]
  const [gas] = await askAll(chain, [{ method: 'eth_estimateGas', params }], Quantity)
  return gas == null ? usualGas : (gas * 6n) / 5n
}
