import { describe, expect, it } from 'vitest'
import { forwardTo } from './forward'

type Lamp = { light(watts: number): string; dim(): Promise<number> }

describe('forwardTo', () => {
  it('1. calls the function that is there at that moment, and returns its result', async () => {
    let lamp: Partial<Lamp> = { light: (watts) => `a ${watts}` }
    const forwarded = forwardTo<Lamp>(() => lamp, 'LINK_CLOSED')
    expect(forwarded.light(5)).toBe('a 5')
    lamp = { light: (watts) => `b ${watts}`, dim: async () => 1 }
    expect(forwarded.light(5)).toBe('b 5')
    expect(await forwarded.dim()).toBe(1)
  })

  it('2. rejects a call that nothing takes, also one that does not wait for it', async () => {
    const forwarded = forwardTo<Lamp>(() => ({}), 'CLIENTS_NOT_SET')
    await expect(forwarded.dim()).rejects.toMatchObject({ code: 'CLIENTS_NOT_SET' })
    // An unhandled rejection would fail the run.
    void forwarded.light(5)
    await Promise.resolve()
  })

  it('3. gives the same function each time', () => {
    const forwarded = forwardTo<Lamp>(() => ({}), 'LINK_CLOSED')
    expect(forwarded.light).toBe(forwarded.light)
  })
})
