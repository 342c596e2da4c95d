import { describe, expect, test } from 'vitest'
import { BusyError, createByteBudget } from './byte-budget'

const never = new AbortController().signal

describe('the budget of bytes in flight', () => {
  test('1. makes a body wait until it fits, in order', async () => {
    const budget = createByteBudget({ total: 30, perCaller: 30, maxWaiting: 9 })
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

  test('2. one caller leaves room for the others', async () => {
    const budget = createByteBudget({ total: 40, perCaller: 20, maxWaiting: 9 })
    await budget.reserve(10, 'greedy', never)
    await budget.reserve(10, 'greedy', never)
    const gone = new AbortController()
    const waiting = budget.reserve(10, 'greedy', gone.signal)
    await budget.reserve(10, 'other', never)
    gone.abort()
    await expect(waiting).rejects.toThrow(BusyError)
  })

  test('3. refuses after the signal, and gives the turn to the next', async () => {
    const budget = createByteBudget({ total: 10, perCaller: 10, maxWaiting: 9 })
    const release = await budget.reserve(10, 'a', never)
    await expect(budget.reserve(10, 'b', AbortSignal.abort())).rejects.toThrow(BusyError)
    const gone = new AbortController()
    const waiting = budget.reserve(10, 'c', gone.signal)
    const next = budget.reserve(10, 'd', never)
    gone.abort()
    await expect(waiting).rejects.toThrow(BusyError)
    release()
    await next
  })

  test('3. refuses at once one more than may wait', async () => {
    const budget = createByteBudget({ total: 10, perCaller: 10, maxWaiting: 1 })
    const release = await budget.reserve(10, 'a', never)
    const waiting = budget.reserve(10, 'b', never)
    await expect(budget.reserve(10, 'c', never)).rejects.toThrow(BusyError)
    release()
    await waiting
  })

  test('lets through alone a body above the budget', async () => {
    const budget = createByteBudget({ total: 10, perCaller: 5, maxWaiting: 9 })
    const release = await budget.reserve(50, 'a', never)
    release()
    await budget.reserve(50, 'a', never)
  })
})
