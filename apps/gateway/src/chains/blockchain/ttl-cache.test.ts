import { describe, expect, test } from 'vitest'
import { createTtlCache } from './ttl-cache'

describe('cached results', () => {
  test('1, 2 share one request between concurrent callers, and expire', async () => {
    let now = 0
    let calls = 0
    const cache = createTtlCache<number>(100, 10, () => now)
    const ask = async () => ++calls
    expect(await Promise.all([cache.get('a', ask), cache.get('a', ask)])).toEqual([1, 1])
    now = 99
    expect(await cache.get('a', ask)).toBe(1)
    now = 100
    expect(await cache.get('a', ask)).toBe(2)
  })

  test('2 are not stored after a failure', async () => {
    const cache = createTtlCache<number>(100, 10, () => 0)
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await cache.get('a', async () => 1)).toBe(1)
  })

  test('2 are not stored if `isKept` rejects them', async () => {
    const cache = createTtlCache<string>(
      100,
      10,
      () => 0,
      (answer) => answer.length < 3,
    )
    expect(await Promise.all([cache.get('a', async () => 'long'), cache.get('a', async () => 'x')])).toEqual([
      'long',
      'long',
    ])
    expect(await cache.get('a', async () => 'ok')).toBe('ok')
    expect(await cache.get('a', async () => 'no')).toBe('ok')
  })

  test('3 are replaced by a fresh request', async () => {
    const cache = createTtlCache<number>(100, 10, () => 0)
    await cache.get('a', async () => 1)
    expect(await cache.refresh('a', async () => 2)).toBe(2)
    expect(await cache.get('a', async () => 3)).toBe(2)
  })

  test('4 are evicted, oldest first, beyond the limit', async () => {
    const cache = createTtlCache<number>(100, 2, () => 0)
    for (const key of ['a', 'b', 'c']) await cache.get(key, async () => 1)
    expect(await cache.get('c', async () => 2)).toBe(1)
    expect(await cache.get('a', async () => 2)).toBe(2)
  })
})
