import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** A sequence of decisions of one kind. */
export type Forecast = {
  /** A fate by its chance, per mille, or null. */
  next(): string | null
  /** Sets the next fates, in place of those set before. `none` stands for null. */
  decide(fates: readonly string[]): void
  /** An integer between `min` and `max`, both included. */
  integer(min: number, max: number): number
}

/**
 * The decisions of `kind`, fixed by seed and kind.
 * The n-th decision of a kind is the same in each run, whatever the order of requests of other kinds.
 */
export function createForecast(seed: number, kind: string, chances: Readonly<Record<string, number>>): Forecast {
  const generator = xoroshiro128plus(seed ^ hashOf(kind))
  let decided: readonly string[] = []
  const integer = (min: number, max: number) => uniformInt(generator, min, max)
  return {
    integer,
    decide(fates) {
      decided = fates
    },
    next() {
      const [first, ...rest] = decided
      decided = rest
      if (first !== undefined) return first === 'none' ? null : first
      let left = integer(0, 999)
      for (const [fate, chance] of Object.entries(chances)) {
        if (left < chance) return fate
        left -= chance
      }
      return null
    },
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash
}
