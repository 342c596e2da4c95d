import { describe, expect, test } from 'vitest'
import { createKept } from './kept'

describe('cached results', () => {
  test('1, 2 share one request between concurrent callers, and expire', async () => {
    let now = 0
    let asked = 0
    const kept = createKept<number>(100, 10, () => now)
    const ask = async () => ++asked
    expect(await Promise.all([kept.get('a', ask), kept.get('a', ask)])).toEqual([1, 1])
    now = 99
    expect(await kept.get('a', ask)).toBe(1)
    now = 100
    expect(await kept.get('a', ask)).toBe(2)
  })

  test('2 are not stored after a failure', async () => {
    const kept = createKept<number>(100, 10, () => 0)
    await expect(kept.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await kept.get('a', async () => 1)).toBe(1)
  })

  test('2 are not stored if `isKept` rejects them', async () => {
    const kept = createKept<string>(
      100,
      10,
      () => 0,
      (answer) => answer.length < 3,
    )
    expect(await Promise.all([kept.get('a', async () => 'long'), kept.get('a', async () => 'x')])).toEqual([
      'long',
      'long',
    ])
    expect(await kept.get('a', async () => 'ok')).toBe('ok')
    expect(await kept.get('a', async () => 'no')).toBe('ok')
  })

  test('3 are replaced by a fresh request', async () => {
    const kept = createKept<number>(100, 10, () => 0)
    await kept.get('a', async () => 1)
    expect(await kept.get('a', async () => 2, true)).toBe(2)
    expect(await kept.get('a', async () => 3)).toBe(2)
  })

  test('4 are evicted, oldest first, beyond the limit', async () => {
    const kept = createKept<number>(100, 2, () => 0)
    for (const key of ['a', 'b', 'c']) await kept.get(key, async () => 1)
    expect(await kept.get('c', async () => 2)).toBe(1)
    expect(await kept.get('a', async () => 2)).toBe(2)
  })
})
