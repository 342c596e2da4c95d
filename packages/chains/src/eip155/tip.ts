import * as z from 'zod/mini'
import { Quantity } from './adapter'

/** `eth_feeHistory`: median reward of five blocks. */
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
 * Wei per gas: the larger of the node's suggestion and the median paid.
 * With a suggestion of zero, a transaction may leave the pool when the base fee rises. Ignores empty blocks.
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
