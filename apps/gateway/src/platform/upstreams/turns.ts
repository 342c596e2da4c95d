/**
 * Turns of the event loop for large bodies; other requests go on between them.
 *
 * 1. In a turn, work of at most `perTurn` starts; the rest waits, first come, first served.
 * 2. A parse has its own turn. After a long parse, large bodies pause three times as long, at most `maxPauseMs`.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

export type Turns = {
  /** Resolves when the work may be done: at once, before the next `await`. */
  next(work: 'chunk' | 'parse'): Promise<void>
}

const perTurn = 4
const workOf = { chunk: 1, parse: perTurn } as const
const longTurnMs = 20
const pauseFactor = 3
const maxPauseMs = 500

/** @param clock monotonic, in ms. */
export function createTurns(clock: () => number = () => performance.now()): Turns {
  const waiting: { readonly work: keyof typeof workOf; readonly start: () => void }[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const startedAt = clock()
      let isParsing = false
      for (let left = perTurn; left > 0; ) {
        const next = waiting.shift()
        if (next === undefined) break
        left -= workOf[next.work]
        isParsing ||= next.work === 'parse'
        next.start()
      }
      await setImmediate()
      const took = clock() - startedAt
      if (isParsing && took > longTurnMs) await sleep(Math.min(took * pauseFactor, maxPauseMs))
    }
    isRunning = false
  }

  return {
    next: (work) =>
      new Promise((resolve) => {
        waiting.push({ work, start: resolve })
        if (!isRunning) void run()
      }),
  }
}
