/** Random numbers by a seed (mulberry32). */
export type Random = {
  /** From 0 to `end - 1`. */
  below(end: number): number
  /** True in one of `times` calls, on average. */
  oneIn(times: number): boolean
  /** @throws if the list is empty */
  pick<T>(list: readonly T[]): T
  seed(): number
}

export function createRandom(first: number): Random {
  let state = first >>> 0

  function seed(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  const below = (end: number) => Math.floor((seed() / 2 ** 32) * end)
  return {
    seed,
    below,
    oneIn: (times) => below(times) === 0,
    pick(list) {
      const at = below(list.length)
      const picked = list
        .slice(at, at + 1)
        .values()
        .next()
      if (picked.done === true) throw new RangeError('Nothing to pick from')
      return picked.value
    },
  }
}
