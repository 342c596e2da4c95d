import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { fuzz, replay, type Target } from './fuzz'

/** In `npm test`. `npm run fuzz` sets others. */
const defaultSeconds = 10

/** A search of this many messages has been everywhere. */
const enoughMessages = 20_000

/** `FUZZ_SECONDS`, `FUZZ_MESSAGES`, `FUZZ_SEED` and `FUZZ_REPLAY` come from scripts/fuzz.ts. */
export function runTarget(target: Target): void {
  const { FUZZ_SECONDS, FUZZ_MESSAGES, FUZZ_SEED, FUZZ_REPLAY } = process.env
  const seconds = Number(FUZZ_SECONDS ?? defaultSeconds)
  const timeout = seconds * 1_000 + 300_000
  if (FUZZ_REPLAY !== undefined) {
    test(`${target.name}: the stored session has no violation`, () => replay(target, FUZZ_REPLAY), timeout)
    return
  }
  test(
    `${target.name}: no session has a violation`,
    async () => {
      // `npm test` decides about a change, so it repeats itself; `npm run fuzz` searches.
      const seed = Number(FUZZ_SEED ?? (FUZZ_SECONDS === undefined ? 1 : randomInt(2 ** 31)))
      const messages = Number(FUZZ_MESSAGES ?? Number.MAX_SAFE_INTEGER)
      const found = await fuzz(target, { seed, messages, seconds })
      expect(found.corpus).toBeGreaterThan(0)
      if (found.messages >= enoughMessages)
        expect(Object.entries(found.reached).filter(([, times]) => times === 0)).toEqual([])
    },
    timeout,
  )
}
