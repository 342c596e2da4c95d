import { expect, test } from 'vitest'
import { createBatchLoader } from './batch-loader'

function questions() {
  const batches: (readonly string[])[] = []
  const answer: (() => void)[] = []
  const ask = (keys: readonly string[]) => {
    batches.push(keys)
    return new Promise<Map<string, string>>((resolve, reject) => {
      answer.push(() => {
        if (keys.includes('bad')) reject(new Error('failed'))
        else resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, `of ${key}`])))
      })
    })
  }
  return { batches, ask, answer: () => answer.shift()?.() }
}

test('1, 2 combines lookups that arrive during a request into the next one', async () => {
  const { batches, ask, answer } = questions()
  const find = createBatchLoader(ask, 'nothing')
  const all = ['a', 'b', 'b', 'none'].map(find)
  expect(batches).toEqual([['a']])
  answer()
  expect(await all[0]).toBe('of a')
  await Promise.resolve()
  expect(batches).toEqual([['a'], ['b', 'none']])
  answer()
  expect(await Promise.all(all)).toEqual(['of a', 'of b', 'of b', 'nothing'])
  const later = find('c')
  answer()
  expect(await later).toBe('of c')
})

test('1, 2 a failure rejects only its own request, and a request has a maximum size', async () => {
  const { batches, ask, answer } = questions()
  const find = createBatchLoader(ask, 'nothing', 2)
  const all = ['bad', 'a', 'b', 'c'].map(find)
  const settled = Promise.allSettled(all)
  answer()
  await expect(all[0]).rejects.toThrow('failed')
  await Promise.resolve()
  answer()
  await all[2]
  await Promise.resolve()
  answer()
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  expect(batches).toEqual([['bad'], ['a', 'b'], ['c']])
})
