import { expect, it } from 'vitest'
import { chooseTip } from './tip'

const gwei = 10n ** 9n
const rewards = (...paid: bigint[]) => ({ reward: paid.map((one) => [one]) })

it.each([
  ['the median, if the node suggests zero', 0n, rewards(gwei, gwei, 3n * gwei), gwei],
  ['the suggestion, if blocks pay less', 2n * gwei, rewards(gwei, 0n, gwei), 2n * gwei],
  ['the suggestion, if the history is zero', gwei, rewards(0n, 0n, 0n), gwei],
  ['the suggestion, without a history', gwei, null, gwei],
  ['the suggestion, if the history has no rewards', gwei, {}, gwei],
  ['the median, without a suggestion', undefined, rewards(gwei, 5n * gwei, 3n * gwei), 3n * gwei],
  ['nothing, without both', null, undefined, 0n],
  [
    'the median of the blocks that have transactions',
    0n,
    { ...rewards(0n, 0n, 0n, gwei, 2n * gwei), gasUsedRatio: [0, 0, 0, 0.1, 0.9] },
    2n * gwei,
  ],
])('chooseTip: %s', (_, suggested, history, tip) => {
  expect(chooseTip(suggested, history)).toBe(tip)
})
