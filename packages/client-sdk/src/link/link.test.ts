import { isSendingRpcMethod, methodsThat } from '@postern/protocol'
import { hostTimeouts } from '@postern/protocol/page-link/timeouts'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { PosternError } from '../shared/errors'
import { init, manualTimers, settle, type TestPort, testPort } from '../testing/fakes'
import { createLink, type Link, type LinkOptions } from './link'

function setUp(options: Partial<LinkOptions> = {}) {
  const timers = manualTimers()
  const told = { lost: 0, wanted: 0, events: [] as [string, unknown][] }
  let ids = 0
  const link = createLink({
    timers,
    randomId: () => `id-${ids++}`,
    serve: () => Promise.resolve(null),
    onEvent: (event, data) => told.events.push([event, data]),
    onLost: () => told.lost++,
    onWanted: () => told.wanted++,
    ...options,
  })
  return { link, timers, told }
}

function attach(link: Link): TestPort {
  const port = testPort()
  link.attach(port, init).catch(() => {})
  return port
}

const requests = (port: TestPort) => port.posted.flatMap((sent) => (sent.kind === 'request' ? [sent] : []))
const cancels = (port: TestPort) => port.posted.flatMap((sent) => (sent.kind === 'cancel' ? [sent.id] : []))
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (error instanceof PosternError ? error.code : String(error)),
  )
const idOf = (port: TestPort, method: string) => requests(port).find((sent) => sent.method === method)?.id

describe('1. every request settles exactly once', () => {
  test('with its result', async () => {
    const { link, timers } = setUp()
    const port = attach(link)
    const answer = link.request('close', null)
    const id = idOf(port, 'close')
    port.deliver({ v: 1, id, kind: 'result', result: 'pong' })
    port.deliver({ v: 1, id, kind: 'error', error: { code: 'INTERNAL', message: 'late' } })
    await expect(answer).resolves.toBe('pong')
    expect(link.pendingCount).toBe(0)
    // The pending init.
    expect(timers.running).toBe(1)
  })

  test('with a typed error', async () => {
    const { link } = setUp()
    const port = attach(link)
    const answer = link.request('close', null)
    port.deliver({
      v: 1,
      id: idOf(port, 'close'),
      kind: 'error',
      error: { code: 'CLOSE_REFUSED', message: 'm', rpc: 7, data: [1] },
    })
    await expect(answer).rejects.toMatchObject({
      name: 'PosternError',
      code: 'CLOSE_REFUSED',
      message: 'm',
      rpc: 7,
      data: [1],
    })
  })

  test('when its signal aborts, and cancels at the host', async () => {
    const { link } = setUp()
    const port = attach(link)
    const controller = new AbortController()
    const code = codeOf(link.request('connect', {}, controller.signal))
    controller.abort()
    expect(await code).toBe('ABORTED')
    expect(cancels(port)).toEqual([idOf(port, 'connect')])
  })

  test('when its signal is already aborted, without contacting the host', async () => {
    const { link, told } = setUp()
    expect(await codeOf(link.request('connect', {}, AbortSignal.abort()))).toBe('ABORTED')
    expect(requests(attach(link)).map(({ method }) => method)).toEqual(['init'])
    expect(told.wanted).toBe(0)
  })

  test('on timeout, and cancels at the host', async () => {
    const { link, timers } = setUp()
    const port = attach(link)
    const code = codeOf(link.request('close', null))
    timers.pass(hostTimeouts.close - 1)
    expect(cancels(port)).toEqual([])
    timers.pass(1)
    expect(await code).toBe('TIMEOUT')
    expect(cancels(port)).toEqual([idOf(port, 'close')])
  })

  test('when the link fails', async () => {
    const { link, timers } = setUp()
    const code = codeOf(link.request('open', {}))
    link.fail(new PosternError({ code: 'DESTROYED', message: '' }))
    expect(await code).toBe('DESTROYED')
    expect([link.pendingCount, timers.running]).toEqual([0, 0])
  })

  test('requests that wait for the user have no timeout', async () => {
    const { link, timers } = setUp()
    const port = attach(link)
    const answer = link.request('connect', {})
    timers.pass(3_600_000)
    port.deliver({ v: 1, id: idOf(port, 'connect'), kind: 'result', result: 'late' })
    await expect(answer).resolves.toBe('late')
  })

  test('params that cannot be cloned are rejected at once', async () => {
    const { link } = setUp()
    attach(link)
    const params = { namespace: 'eip155' as const, method: 'm', params: [() => {}] }
    expect(await codeOf(link.request('rpc', params))).toBe('INVALID_PARAMS')
  })
})

test('2. requests made without a port wait, then go out in order after init', () => {
  const { link, told } = setUp()
  link.request('open', {}).catch(() => {})
  link.request('close', null).catch(() => {})
  link.request('diagnose', null).catch(() => {})
  expect(told.wanted).toBe(3)
  expect(requests(attach(link)).map(({ method }) => method)).toEqual(['init', 'open', 'close', 'diagnose'])
})

test('3. a new port starts with init, then unanswered requests under their original ids', async () => {
  const { link, told } = setUp()
  const first = attach(link)
  link.request('connect', {}).catch(() => {})
  link.request('close', null).catch(() => {})
  first.deliver({ v: 1, id: idOf(first, 'close'), kind: 'result' })
  first.end()
  expect([told.lost, link.isAttached, first.closed]).toEqual([1, false, true])
  const second = attach(link)
  expect(requests(second).map(({ method }) => method)).toEqual(['init', 'connect'])
  expect(idOf(second, 'connect')).toBe(idOf(first, 'connect'))
  expect(idOf(second, 'init')).not.toBe(idOf(first, 'init'))
})

test('3. init and ping of a lost port end as LINK_CLOSED and are not sent to the next', async () => {
  const { link } = setUp()
  const codes = [codeOf(link.attach(testPort(), init)), codeOf(link.request('ping', null))]
  expect(requests(attach(link)).map(({ method }) => method)).toEqual(['init'])
  expect(await Promise.all(codes)).toEqual(['LINK_CLOSED', 'LINK_CLOSED'])
})

test('4. drops messages that are not envelopes and answers to no open request', async () => {
  const { link, told } = setUp()
  const port = attach(link)
  const answer = link.request('close', null)
  for (const data of [
    null,
    'x',
    {},
    { v: 2 },
    { v: 1, id: 'unknown', kind: 'result' },
    { v: 1, id: '__proto__', kind: 'cancel' },
  ])
    port.deliver(data)
  await settle()
  expect([link.pendingCount, told.events.length, port.posted.length]).toEqual([1, 0, 2])
  link.fail(new PosternError({ code: 'DESTROYED', message: '' }))
  await expect(answer).rejects.toThrow()
})

test('5. ignores messages from an earlier port', async () => {
  const { link, told } = setUp()
  const first = attach(link)
  const answer = codeOf(link.request('connect', {}))
  const handle: unknown = first.onmessage
  const second = attach(link)
  if (typeof handle === 'function') handle({ data: { v: 1, id: idOf(second, 'connect'), kind: 'result' } })
  first.end()
  expect(told.lost).toBe(0)
  second.deliver({ v: 1, id: idOf(second, 'connect'), kind: 'error', error: { code: 'USER_REJECTED', message: '' } })
  expect(await answer).toBe('USER_REJECTED')
})

describe('6. requests from the host', () => {
  const ask = { v: 1, id: 'h1', kind: 'request', method: 'walletRequest', params: 1 }

  test('respond with the handler’s result, or its error as plain data', async () => {
    const { link } = setUp({
      serve: (_, params) => (params === 1 ? Promise.resolve({ a: 1 }) : Promise.reject({ code: 4001 })),
    })
    const port = attach(link)
    port.deliver(ask)
    port.deliver({ ...ask, id: 'h2', params: 2 })
    await settle()
    expect(port.posted.slice(1)).toEqual([
      { v: 1, id: 'h1', kind: 'result', result: { a: 1 } },
      { v: 1, id: 'h2', kind: 'error', error: { code: 'USER_REJECTED', message: 'Internal error', rpc: 4001 } },
    ])
  })

  test('are served once per id, and get no response after a cancel', async () => {
    const seen: AbortSignal[] = []
    const answers = withResolvers()
    const { link } = setUp({
      serve: (_method, _params, signal) => {
        seen.push(signal)
        return answers.promise
      },
    })
    const port = attach(link)
    port.deliver(ask)
    port.deliver(ask)
    port.deliver({ v: 1, id: 'h1', kind: 'cancel' })
    answers.resolve('late')
    await settle()
    expect(seen.map(({ aborted }) => aborted)).toEqual([true])
    expect(port.posted).toHaveLength(1)
  })

  test('get no response on another port', async () => {
    const answers = withResolvers()
    const { link } = setUp({ serve: () => answers.promise })
    const first = attach(link)
    first.deliver(ask)
    const second = attach(link)
    answers.resolve('late')
    await settle()
    expect([first.posted.length, second.posted.length]).toEqual([1, 1])
  })
})

test('7. a timeout starts when the request was last sent', async () => {
  const { link, timers } = setUp()
  const code = codeOf(link.request('close', null))
  timers.pass(hostTimeouts.close * 2)
  const port = attach(link)
  timers.pass(hostTimeouts.close - 1)
  port.end()
  attach(link)
  timers.pass(hostTimeouts.close - 1)
  expect(link.pendingCount).toBe(1)
  timers.pass(1)
  expect(await code).toBe('TIMEOUT')
})

test('delivers events from the host, and sends events only while a port is attached', () => {
  const { link, told } = setUp()
  link.emit('dismiss', null)
  const port = attach(link)
  link.emit('dismiss', null)
  port.deliver({ v: 1, id: 'e', kind: 'event', event: 'state', data: 1 })
  expect(port.posted.slice(1)).toMatchObject([{ kind: 'event', event: 'dismiss', data: null }])
  expect(told.events).toEqual([['state', 1]])
})

describe('over real ports', () => {
  const ports: MessagePort[] = []
  afterEach(() => {
    for (const port of ports.splice(0)) port.close()
  })

  test('a request gets its response, and closing the other side is detected', async () => {
    const lost = withResolvers()
    const { link } = setUp({ onLost: () => lost.resolve(null) })
    const { port1, port2 } = new MessageChannel()
    ports.push(port1, port2)
    port2.onmessage = ({ data }) => {
      if (data.kind === 'request') port2.postMessage({ v: 1, id: data.id, kind: 'result', result: data.method })
    }
    await expect(link.attach(port1, init)).resolves.toBe('init')
    await expect(link.request('close', null)).resolves.toBe('close')
    port2.close()
    await lost.promise
    expect(link.isAttached).toBe(false)
  })
})

describe('3. signing, paying and sending methods are sent only once', () => {
  const rpc = (method: string) => ({ namespace: 'eip155', method, params: [] }) as const

  test.each(methodsThat(({ risk }) => risk === 'notSafe' || risk === 'composed'))(
    '%s is not sent again if its frame goes away; its outcome is unknown if it pays or sends',
    async (method) => {
      const { link } = setUp()
      attach(link)
      const code = codeOf(link.request('rpc', rpc(method)))
      expect(requests(attach(link)).map((sent) => sent.method)).toEqual(['init'])
      expect(await code).toBe(isSendingRpcMethod(method) ? 'OUTCOME_UNKNOWN' : 'LINK_CLOSED')
      expect(link.pendingCount).toBe(0)
    },
  )

  test.each(['eth_sendBundle', 'wallet_payLater', 'constructor'])(
    '%s, which only a newer host may know, is not sent again, and its outcome is unknown',
    async (method) => {
      const { link } = setUp()
      attach(link)
      const code = codeOf(link.request('rpc', rpc(method)))
      expect(requests(attach(link)).map((sent) => sent.method)).toEqual(['init'])
      expect(await code).toBe('OUTCOME_UNKNOWN')
    },
  )

  test('a request that no frame has received waits for the first frame', () => {
    const { link } = setUp()
    link.request('rpc', rpc('eth_sendTransaction')).catch(() => {})
    link.detach()
    expect(requests(attach(link)).map((sent) => sent.method)).toEqual(['init', 'rpc'])
  })

  test('read-only methods and already signed transactions are sent again', () => {
    const { link } = setUp()
    attach(link)
    const reads = methodsThat(({ risk }) => risk === 'safe')
    for (const method of reads) link.request('rpc', rpc(method)).catch(() => {})
    expect(requests(attach(link))).toHaveLength(1 + reads.length)
  })
})

test('any sequence of sends, answers, aborts, waits, reloads and junk settles each request exactly once', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constantFrom('send', 'person', 'reload', 'lose', 'wait', 'junk', 'fail' as const) }),
    fc.record({ do: fc.constantFrom('answer', 'refuse', 'abort' as const), nth: fc.nat({ max: 6 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { link, timers } = setUp()
      const sent: { controller: AbortController; timed: boolean; outcomes: string[]; expected: string | undefined }[] =
        []
      const waiting = () => sent.filter(({ expected }) => expected === undefined)
      const onPort = new Map<string, (typeof sent)[number]>()
      let port: TestPort | undefined

      const reload = () => {
        const before = waiting()
        port = attach(link)
        const [first, ...rest] = requests(port)
        expect(first?.method).toBe('init')
        expect(rest).toHaveLength(before.length)
        rest.forEach(({ id }, index) => {
          const request = before[index]
          expect(onPort.get(id) ?? request).toBe(request)
          if (request !== undefined) onPort.set(id, request)
        })
      }
      const send = (timed: boolean) => {
        const controller = new AbortController()
        const request = { controller, timed, outcomes: [] as string[], expected: undefined }
        const known = port === undefined ? 0 : requests(port).length
        const answer = timed
          ? link.request('close', null, controller.signal)
          : link.request('connect', {}, controller.signal)
        codeOf(answer).then((outcome) => request.outcomes.push(outcome))
        sent.push(request)
        const id = port === undefined ? undefined : requests(port)[known]?.id
        if (id !== undefined) onPort.set(id, request)
      }
      const settleNth = (nth: number, kind: 'result' | 'error') => {
        const [id, request] = [...onPort][nth] ?? []
        if (port === undefined || request === undefined) return
        const expected = kind === 'result' ? 'resolved' : 'USER_REJECTED'
        port.deliver({ v: 1, id, kind, ...(kind === 'error' && { error: { code: expected, message: '' } }) })
        request.expected ??= expected
      }

      for (const each of steps) {
        if (each.do === 'send') send(true)
        else if (each.do === 'person') send(false)
        else if (each.do === 'reload') reload()
        else if (each.do === 'lose') {
          port?.end()
          port = undefined
        } else if (each.do === 'junk') port?.deliver({ v: 1, id: 'id-0', kind: 'nonsense' })
        else if (each.do === 'wait') {
          timers.pass(10_000)
          if (port !== undefined) for (const request of waiting()) if (request.timed) request.expected = 'TIMEOUT'
        } else if (each.do === 'fail') {
          link.fail(new PosternError({ code: 'DESTROYED', message: '' }))
          for (const request of waiting()) request.expected = 'DESTROYED'
        } else if ('nth' in each) {
          if (each.do === 'answer') settleNth(each.nth, 'result')
          else if (each.do === 'refuse') settleNth(each.nth, 'error')
          else {
            const request = sent[each.nth]
            request?.controller.abort()
            if (request !== undefined) request.expected ??= 'ABORTED'
          }
        }
      }
      link.detach()
      link.fail(new PosternError({ code: 'LINK_CLOSED', message: '' }))
      for (const request of waiting()) request.expected = 'LINK_CLOSED'
      await settle()
      for (const { outcomes, expected } of sent) expect(outcomes).toEqual([expected])
      expect([link.pendingCount, timers.running]).toEqual([0, 0])
    }),
    { numRuns: 500 },
  )
})

function withResolvers() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise<unknown>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
