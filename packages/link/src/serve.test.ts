import { setImmediate } from 'node:timers/promises'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ServeOptions, serveRequests } from './serve'

type Request = { readonly id: string; readonly name?: string }
type Answer = { readonly id: string; readonly text: string }
type Running = {
  readonly id: string
  readonly signal: AbortSignal
  settle(text: string): void
  fail(thrown: unknown): void
}

const uncloneable = 'cannot be cloned'

function setUp(given: Partial<ServeOptions<Request, Request, Answer>> = {}) {
  const posted: Answer[] = []
  const running: Running[] = []
  const server = serveRequests<Request, Request, Answer>({
    maxInFlight: 3,
    maxRemembered: 4,
    replays: 'answer',
    cancelled: 'answer',
    accept: ({ id, name }) => {
      if (name === 'unknown') return 'METHOD_NOT_FOUND'
      return (signal) =>
        new Promise((resolve, reject) => {
          running.push({ id, signal, settle: (text) => resolve({ id, text }), fail: reject })
        })
    },
    isUnlimited: ({ name }) => name === 'abort',
    refused: ({ id }, code) => ({ id, text: code }),
    failed: ({ id }, thrown) => ({ id, text: thrown instanceof Failure ? thrown.code : 'failed' }),
    post(answer) {
      if (answer.text === uncloneable) throw new DOMException('', 'DataCloneError')
      posted.push(answer)
    },
    ...given,
  })
  return { server, posted, running }
}

describe('serveRequests', () => {
  it('1. runs an id once: a replay shares the open run, and later gets the first answer', async () => {
    const { server, posted, running } = setUp()
    server.receive({ id: 'a' })
    server.receive({ id: 'a', name: 'unknown' })
    running[0]?.settle('first')
    await setImmediate()
    expect(posted).toEqual([{ id: 'a', text: 'first' }])
    server.receive({ id: 'a' })
    server.receiveOversized({ id: 'a' })
    expect(posted.map(({ text }) => text)).toEqual(['first', 'first', 'first'])
    expect(running).toHaveLength(1)
  })

  it('1. sends no replay an answer if replays are dropped', async () => {
    const { server, posted, running } = setUp({ replays: 'drop' })
    server.receive({ id: 'a' })
    running[0]?.settle('first')
    await setImmediate()
    server.receive({ id: 'a' })
    server.receiveOversized({ id: 'a' })
    expect(posted).toEqual([{ id: 'a', text: 'first' }])
    expect(running).toHaveLength(1)
  })

  it.each(['constructor', '__proto__', 'toString'])('1. serves the id %s like any other', async (id) => {
    const { server, posted, running } = setUp()
    server.cancel(id)
    server.receive({ id })
    running[0]?.settle('ok')
    await setImmediate()
    expect(posted).toEqual([{ id, text: 'ok' }])
  })

  it('1. forgets the oldest of too many remembered ids', async () => {
    const { server, running } = setUp()
    for (let at = 0; at <= 4; at += 1) {
      server.receive({ id: `${at}` })
      running[at]?.settle('')
      await setImmediate()
    }
    server.receive({ id: '1' })
    expect(running).toHaveLength(5)
    server.receive({ id: '0' })
    expect(running).toHaveLength(6)
  })

  it('2. answers a refusal, a rejection, a synchronous throw and an answer that cannot be cloned', async () => {
    const { server, posted, running } = setUp()
    server.receive({ id: 'refused', name: 'unknown' })
    server.receive({ id: 'rejected' })
    running[0]?.fail(new Failure('WRONG_CODE'))
    server.receive({ id: 'uncloneable' })
    running[1]?.settle(uncloneable)
    await setImmediate()
    server.receive({ id: 'uncloneable' })
    expect(posted).toEqual([
      { id: 'refused', text: 'METHOD_NOT_FOUND' },
      { id: 'rejected', text: 'WRONG_CODE' },
      { id: 'uncloneable', text: 'INTERNAL' },
      { id: 'uncloneable', text: 'INTERNAL' },
    ])
    const throwing = setUp({
      accept: () => () => {
        throw new Error('now')
      },
    })
    throwing.server.receive({ id: 'a' })
    await setImmediate()
    expect(throwing.posted).toEqual([{ id: 'a', text: 'failed' }])
  })

  it('3. 5. refuses one request too many, and runs it when it is sent again', async () => {
    const { server, posted, running } = setUp()
    for (const id of ['a', 'b', 'c', 'd']) server.receive({ id })
    expect(posted).toEqual([{ id: 'd', text: 'LIMIT_EXCEEDED' }])
    server.receive({ id: 'e', name: 'abort' })
    expect(running.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'e'])
    running[0]?.settle('ok')
    running[3]?.settle('ok')
    await setImmediate()
    server.receive({ id: 'd' })
    expect(running.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'e', 'd'])
  })

  it('4. 5. refuses an oversized request, and runs it once it is smaller', () => {
    const { server, posted, running } = setUp()
    server.receiveOversized({ id: 'a' })
    expect(posted).toEqual([{ id: 'a', text: 'LIMIT_EXCEEDED' }])
    server.receive({ id: 'a' })
    server.receiveOversized({ id: 'a' })
    expect([posted.length, running.length]).toEqual([1, 1])
  })

  it('6. aborts a cancelled run; without an answer, it stays open until its run settles', async () => {
    const { server, posted, running } = setUp({ cancelled: 'drop' })
    server.receive({ id: 'a' })
    server.cancel('a')
    server.cancel('nothing')
    expect(running[0]?.signal.reason).toMatchObject({ code: 'ABORTED' })
    server.receive({ id: 'a' })
    running[0]?.settle('late')
    await setImmediate()
    expect(posted).toEqual([])
    server.receive({ id: 'a' })
    expect(posted).toEqual([{ id: 'a', text: 'ABORTED' }])
    expect(running).toHaveLength(1)
  })

  it('7. aborts all runs on end, and sends nothing more', async () => {
    const { server, posted, running } = setUp()
    server.receive({ id: 'a' })
    server.end()
    expect(running[0]?.signal.reason).toMatchObject({ code: 'LINK_CLOSED' })
    running[0]?.settle('late')
    server.receive({ id: 'a' })
    server.receive({ id: 'b' })
    server.receiveOversized({ id: 'c' })
    await setImmediate()
    expect(posted).toEqual([])
    expect(running).toHaveLength(1)
  })

  it('1. 2. 3. 6. 7. in any order: an id runs once, its answers are equal, and the limits hold', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '__proto__')
    const step = fc.oneof(
      { weight: 25, arbitrary: fc.record({ kind: fc.constant('receive' as const), id }) },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('oversized' as const), id }) },
      { weight: 10, arbitrary: fc.record({ kind: fc.constant('cancel' as const), id }) },
      {
        weight: 20,
        arbitrary: fc.record({ kind: fc.constantFrom('settle' as const, 'fail' as const, 'clone' as const), id }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), id }) },
    )
    const policies = fc.record({
      replays: fc.constantFrom('answer' as const, 'drop' as const),
      cancelled: fc.constantFrom('answer' as const, 'drop' as const),
    })
    await fc.assert(
      fc.asyncProperty(policies, fc.array(step, { maxLength: 40 }), async (given, steps) => {
        // Enough for all ids, so that every id runs at most once.
        const { server, posted, running } = setUp({ ...given, maxRemembered: 7 })
        const settled = new Set<Running>()
        const cancelled = new Set<string>()
        let postedAtEnd: number | null = null
        for (const { kind, id } of steps) {
          const open = running.find((run) => run.id === id && !settled.has(run))
          if (kind === 'receive') server.receive({ id })
          if (kind === 'oversized') server.receiveOversized({ id })
          if (kind === 'cancel') {
            if (open !== undefined && postedAtEnd === null) cancelled.add(id)
            server.cancel(id)
          }
          if (kind === 'end') {
            server.end()
            postedAtEnd ??= posted.length
          }
          if (open !== undefined && (kind === 'settle' || kind === 'fail' || kind === 'clone')) {
            if (kind === 'fail') open.fail(new Failure('USER_REJECTED'))
            else open.settle(kind === 'clone' ? uncloneable : 'ok')
            settled.add(open)
            await setImmediate()
          }
          expect(running.length - settled.size).toBeLessThanOrEqual(3)
        }
        if (postedAtEnd !== null) {
          expect(posted).toHaveLength(postedAtEnd)
          for (const run of running) if (!settled.has(run)) expect(run.signal.aborted).toBe(true)
        }
        for (const run of running) {
          expect(running.filter(({ id }) => id === run.id)).toEqual([run])
          const answers = posted.filter(({ id, text }) => id === run.id && text !== 'LIMIT_EXCEEDED')
          expect(new Set(answers.map(({ text }) => text)).size).toBeLessThanOrEqual(1)
          if (given.replays === 'drop') expect(answers.length).toBeLessThanOrEqual(1)
          if (settled.has(run) && postedAtEnd === null && !(cancelled.has(run.id) && given.cancelled === 'drop'))
            expect(answers.length).toBeGreaterThanOrEqual(1)
        }
      }),
      { numRuns: 150 },
    )
  })
})
