import { type ByteBudget, createByteBudget } from './byte-budget'
import { createTurns, type Turns } from './turns'

export type LargeBodies = {
  readonly parsed: ByteBudget
  readonly streamed: ByteBudget
  readonly turns: Turns
}

/** In bytes. Bodies up to here are read and parsed at once. */
export const smallBodyBytes = 65_536
/** In bytes: a chunk on either side. */
export const streamBytes = 262_144

/** Four parsed bodies of 10 MiB at once, one per caller; 128 streamed ones, eight per caller. */
export function createLargeBodies(): LargeBodies {
  return {
    parsed: createByteBudget({ total: 41_943_040, perCaller: 10_485_760, maxWaiting: 200 }),
    streamed: createByteBudget({ total: 128 * streamBytes, perCaller: 8 * streamBytes, maxWaiting: 500 }),
    turns: createTurns(),
  }
}
