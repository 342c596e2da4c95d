import * as z from 'zod/mini'
import { Quantity } from './adapter'

/** Params of `eth_feeHistory`: the median reward of each of five blocks. */
export const tipHistoryParams = ['0x5', 'latest', [50]] as const

const Wei = z.pipe(
  Quantity,
  z.transform((text) => BigInt(text)),
)

export const TipHistory = z.object({
  reward: z.nullish(z.array(z.array(Wei))),
  gasUsedRatio: z.nullish(z.array(z.number())),
})

/**
 * The priority fee in wei per gas: the larger of the node's suggestion and the median paid.
 * A node may suggest zero while blocks pay a tip; such a transaction leaves the pool when the base fee rises. Ignores
 * empty blocks, which report a reward of zero.
 */
export function chooseTip(
  suggested: bigint | null | undefined,
  history: z.infer<typeof TipHistory> | null | undefined,
): bigint {
  const paid = (history?.reward ?? []).flatMap((rewards, at) => (history?.gasUsedRatio?.[at] === 0 ? [] : rewards))
  const sorted = paid.sort((one, other) => (one < other ? -1 : 1))
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0n
  const tip = suggested ?? 0n
  return tip > median ? tip : median
}
