import { describe, expect, test } from 'vitest'
import { createByteBudget } from './byte-budget'

const never = new AbortController().signal

describe('the budget of bytes in flight', () => {
  test('2. makes a body wait until it fits, in order', async () => {
    const budget = createByteBudget({ smallBytes: 1, total: 30, perCaller: 30 })
    const started: string[] = []
    const reserve = async (name: string) => {
      const release = await budget.reserve(15, name, never)
      started.push(name)
      return release
    }
    const first = await reserve('a')
    await reserve('b')
    const third = reserve('c')
    const fourth = reserve('d')
    expect(started).toEqual(['a', 'b'])
    first()
    first()
    const release = await third
    expect(started).toEqual(['a', 'b', 'c'])
    release()
    await fourth
    expect(started).toEqual(['a', 'b', 'c', 'd'])
  })

  test('3. one caller leaves room for the others', async () => {
    const budget = createByteBudget({ smallBytes: 1, total: 40, perCaller: 20 })
    await budget.reserve(10, 'greedy', never)
    await budget.reserve(10, 'greedy', never)
    const waiting = budget.reserve(10, 'greedy', AbortSignal.timeout(20))
    await budget.reserve(10, 'other', never)
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('4. refuses after the signal, and gives the turn to the next', async () => {
    const budget = createByteBudget({ smallBytes: 1, total: 10, perCaller: 10 })
    const release = await budget.reserve(10, 'a', never)
    await expect(budget.reserve(10, 'b', AbortSignal.abort(new Error('late')))).rejects.toThrow('late')
    const gone = new AbortController()
    const waiting = budget.reserve(10, 'c', gone.signal)
    const next = budget.reserve(10, 'd', never)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    release()
    await next
  })

  test('lets through alone a body above the budget', async () => {
    const budget = createByteBudget({ smallBytes: 1, total: 10, perCaller: 5 })
    const release = await budget.reserve(50, 'a', never)
    release()
    await budget.reserve(50, 'a', never)
  })
})
