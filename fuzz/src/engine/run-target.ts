import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { fuzz, replay, type Target } from './fuzz'

/** A search of this many messages has been everywhere. */
const enoughMessages = 20_000

/**
 * `FUZZ_SECONDS`, `FUZZ_MESSAGES`, `FUZZ_SEED` and `FUZZ_REPLAY` come from scripts/fuzz.ts.
 *
 * @param messages played in `npm test`: as many as take about 10 s, the same number on every machine.
 */
export function runTarget({ messages, ...target }: Target & { readonly messages: number }): void {
  const { FUZZ_SECONDS, FUZZ_MESSAGES, FUZZ_SEED, FUZZ_REPLAY } = process.env
  const isSearch = FUZZ_SECONDS !== undefined
  const timeout = Number(FUZZ_SECONDS ?? 0) * 1_000 + 300_000
  if (FUZZ_REPLAY !== undefined) {
    test(`${target.name}: the stored session has no violation`, () => replay(target, FUZZ_REPLAY), timeout)
    return
  }
  test(
    `${target.name}: no session has a violation`,
    async () => {
      // `npm test` decides about a change, so it repeats itself; `npm run fuzz` searches.
      const found = await fuzz(target, {
        seed: Number(FUZZ_SEED ?? (isSearch ? randomInt(2 ** 31) : 1)),
        messages: Number(FUZZ_MESSAGES ?? (isSearch ? Number.POSITIVE_INFINITY : messages)),
        seconds: Number(FUZZ_SECONDS ?? Number.POSITIVE_INFINITY),
      })
      expect(found.corpus).toBeGreaterThan(0)
      if (found.messages >= enoughMessages)
        expect(Object.entries(found.reached).filter(([, times]) => times === 0)).toEqual([])
    },
    timeout,
  )
}
