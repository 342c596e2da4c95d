import { manualClock } from '@postern/base/testing/manual-clock'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Ask, createAsks } from './ask'

type Message = { readonly result?: string; readonly code?: 'USER_REJECTED' }

function setUp() {
  const clock = manualClock()
  const asks = createAsks<Message>(clock)
  const sent: string[] = []
  const ask = (id: string, given: Partial<Ask<string, Message>> = {}) =>
    asks.ask<string>({
      id,
      timeoutMs: 100,
      timeoutCode: 'TIMEOUT',
      send: () => void sent.push(id),
      sendCancel: () => void sent.push(`cancel ${id}`),
      read({ result, code }) {
        if (code !== undefined) return { ok: false, failure: new Failure(code) }
        return result === undefined ? null : { ok: true, result }
      },
      ...given,
    })
  return { clock, asks, ask, sent }
}

describe('createAsks', () => {
  it('1. settles by its reply, and leaves no timer and no listener', async () => {
    const { clock, asks, ask, sent } = setUp()
    const controller = new AbortController()
    const requests = ask('a', { signal: controller.signal })
    const refused = ask('b')
    asks.receive('a', { result: 'yes' })
    asks.receive('a', { code: 'USER_REJECTED' })
    asks.receive('b', { code: 'USER_REJECTED' })
    expect(await requests).toBe('yes')
    await expect(refused).rejects.toMatchObject({ code: 'USER_REJECTED' })
    controller.abort()
    expect([clock.pending(), sent]).toEqual([0, ['a', 'b']])
  })

  it('1. settles at the end of the link, and so do later requests', async () => {
    const { clock, asks, ask, sent } = setUp()
    const requests = ask('a')
    asks.end()
    await expect(requests).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    await expect(ask('b')).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    expect([clock.pending(), sent]).toEqual([0, ['a']])
  })

  it('1. rejects a request that cannot be cloned, and forgets it', async () => {
    const { clock, ask } = setUp()
    const send = () => {
      throw new DOMException('', 'DataCloneError')
    }
    await expect(ask('a', { send })).rejects.toMatchObject({ name: 'DataCloneError' })
    expect(clock.pending()).toBe(0)
  })

  it('1. rejects all open requests, and accepts later ones', async () => {
    const { asks, ask } = setUp()
    const requests = ask('a')
    asks.rejectAll(new Failure('LINK_CLOSED'))
    await expect(requests).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    const next = ask('a')
    asks.receive('a', { result: 'yes' })
    expect(await next).toBe('yes')
  })

  it('2. tells the other side of an abort and of a timeout, once', async () => {
    const { clock, ask, sent } = setUp()
    const controller = new AbortController()
    const aborted = ask('a', { signal: controller.signal })
    const timed = ask('b')
    controller.abort(new Failure('USER_REJECTED'))
    await expect(aborted).rejects.toMatchObject({ code: 'USER_REJECTED' })
    clock.advance(100)
    await expect(timed).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(sent).toEqual(['a', 'b', 'cancel a', 'cancel b'])
  })

  it('3. drops a reply that has another id, or that the request does not read', async () => {
    const { asks, ask } = setUp()
    const requests = ask('a')
    asks.receive('b', { result: 'wrong' })
    asks.receive('__proto__', { result: 'wrong' })
    asks.receive('a', {})
    asks.receive('a', { result: 'yes' })
    expect(await requests).toBe('yes')
  })

  it('4. rejects with LIMIT_EXCEEDED for an oversized reply', async () => {
    const { asks, ask } = setUp()
    const requests = ask('a', {
      read: () => {
        throw new Error('parsed')
      },
    })
    asks.receiveOversized('b')
    asks.receiveOversized('a')
    await expect(requests).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })

  it('5. sends no request that is aborted, or that has the id of an open one', async () => {
    const { asks, ask, sent } = setUp()
    await expect(ask('a', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
    const first = ask('b', { timeoutMs: 0 })
    expect(asks.hasUntimed()).toBe(true)
    await expect(ask('b')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    asks.receive('b', { result: 'yes' })
    expect(await first).toBe('yes')
    expect([sent, asks.hasUntimed()]).toEqual([['b'], false])
  })

  it('1. 2. in any order of replies, aborts, timeouts and ends, every request settles exactly once', async () => {
    const step = fc.record({
      kind: fc.constantFrom('ask', 'ask', 'ask', 'reply', 'refuse', 'oversized', 'abort', 'wait', 'rejectAll', 'end'),
      id: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
      timeoutMs: fc.constantFrom(0, 1, 5),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { clock, asks, ask, sent } = setUp()
        const controllers: { readonly id: string; readonly controller: AbortController }[] = []
        const settlements: number[] = []
        for (const { kind, id, timeoutMs } of steps) {
          if (kind === 'ask') {
            const controller = new AbortController()
            controllers.push({ id, controller })
            const at = settlements.push(0) - 1
            const settle = () => {
              settlements[at] = (settlements[at] ?? 0) + 1
            }
            void ask(id, { timeoutMs, signal: controller.signal }).then(settle, settle)
          }
          if (kind === 'reply') asks.receive(id, { result: 'yes' })
          if (kind === 'refuse') asks.receive(id, { code: 'USER_REJECTED' })
          if (kind === 'oversized') asks.receiveOversized(id)
          if (kind === 'abort') for (const one of controllers) if (one.id === id) one.controller.abort()
          if (kind === 'wait') clock.advance(timeoutMs)
          if (kind === 'rejectAll') asks.rejectAll(new Failure('LINK_CLOSED'))
          if (kind === 'end') asks.end()
        }
        asks.end()
        await Promise.resolve().then(() => {})
        for (const { controller } of controllers) controller.abort()
        expect(settlements.every((count) => count === 1)).toBe(true)
        expect([clock.pending(), asks.hasUntimed()]).toEqual([0, false])
        const cancels = sent.filter((text) => text.startsWith('cancel')).length
        expect(cancels).toBeLessThanOrEqual(sent.length - cancels)
      }),
      { numRuns: 500 },
    )
  })
})
