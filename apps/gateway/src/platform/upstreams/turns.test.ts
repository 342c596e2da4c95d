import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns'

test('1. does four chunks, or one parse, between two turns of the event loop, in order', async () => {
  const turns = createTurns(() => 0)
  const done: string[] = []
  for (const [index, work] of (['chunk', 'chunk', 'parse', 'parse', 'chunk', 'chunk'] as const).entries()) {
    void turns.next(work).then(() => done.push(`${work} ${index}`))
  }
  const doneByTurn: number[] = []
  while (done.length < 6) {
    await setImmediate()
    doneByTurn.push(done.length)
  }
  expect(done).toEqual(['chunk 0', 'chunk 1', 'parse 2', 'parse 3', 'chunk 4', 'chunk 5'])
  expect(new Set(doneByTurn)).toEqual(new Set([3, 4, 6]))
})
