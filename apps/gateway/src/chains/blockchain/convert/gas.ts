import type { CaipNetworkId, GasPrices } from '@postern/protocol'
import { type Address, numberToHex } from 'viem'
import * as z from 'zod/mini'
import { ask, askAll, type Chain, Quantity } from '../chain'
import { createTtlCache } from '../ttl-cache'
import type { Call } from './provider'

const FeeHistory = z.object({
  baseFeePerGas: z.array(Quantity).check(z.minLength(2)),
  reward: z.array(z.array(Quantity)),
})
/** `percentiles` of each block's rewards. */
const blocks = 10
const percentiles = [25, 50, 90]
/** In ms; below most block times. */
const lifetimeMs = 5_000
const maxCached = 200

/** @throws {ChainError | UpstreamsFailedError} */
export type GasPriceSource = (id: CaipNetworkId, chain: Chain) => Promise<GasPrices>

/** Cached: a swap's transactions are built one after another. @param now epoch ms. */
export function createGasPrices(now: () => number): GasPriceSource {
  const cache = createTtlCache<GasPrices>(lifetimeMs, maxCached, now)
  return (id, chain) => cache.get(id, () => readGasPrices(chain))
}

/**
 * In wei: base fee plus the median tip of the last ten blocks; without a base fee, `eth_gasPrice`.
 * @throws {ChainError | UpstreamsFailedError}
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

/** The estimate plus 20 %, or `usualGas` if the call would fail now. */
export async function estimateGas(chain: Chain, from: Address, { to, data, value, usualGas }: Call): Promise<bigint> {
  const params = [{ from, to, data, value: numberToHex(value) }]
  const [gas] = await askAll(chain, [{ method: 'eth_estimateGas', params }], Quantity)
  return gas == null ? usualGas : (gas * 6n) / 5n
}
