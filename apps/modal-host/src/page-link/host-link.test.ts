import { randomUUID } from 'node:crypto'
import { manualClock } from '@postern/base/testing/manual-clock'
import { Envelope, type HostMethod, type HostState, hostMethods } from '@postern/protocol'
import { fixes } from '@postern/protocol/errors/fixes'
import { Failure, toLinkError } from '@postern/protocol/failure'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createHostLink, maxCachedAnswers, maxOpenRequests } from './host-link'
import type { HostHandlers } from './host-methods'

const state: HostState = {
  seq: 0,
  open: false,
  themeMode: 'light',
  networks: [],
  activeNetworkId: null,
  connections: {},
}
const initParams = { projectId: 'demo', networks: ['ethereum'], colorScheme: 'light', pageWallets: [], stored: {} }

type Handled = { readonly method: string; readonly params: unknown; readonly signal: AbortSignal }

let cleanUp: () => void = () => {}
afterEach(() => cleanUp())

function setUp(overrides: Partial<HostHandlers> = {}) {
  const { port1: page, port2 } = new MessageChannel()
  const clock = manualClock()
  const handled: Handled[] = []
  const dispatched: string[] = []
  const warnings: string[] = []
  const received: Envelope[] = []
  const waiting = new Map<string, (message: Envelope) => void>()
  let ends = 0
  const record =
    <R>(method: string, result: R) =>
    (params: unknown, signal: AbortSignal): R => {
      handled.push({ method, params, signal })
      return result
    }
  const link = createHostLink({
    port: port2,
    clock,
    randomId: () => randomUUID(),
    warn: (text) => warnings.push(text),
    check: (method, result) => void hostMethods[method].result.parse(result),
    onEnd: () => {
      ends += 1
    },
    begin: (params, signal) => ({
      state: () => (overrides.init ?? record('init', state))(params, signal),
      handlers: {
        open: record('open', null),
        close: record('close', null),
        connect: record('connect', { status: 'disconnected' }),
        pay: record('pay', { networkId: 'eip155:1', hash: '0x1', from: '0x2' }),
        disconnect: record('disconnect', null),
        switchNetwork: record('switchNetwork', null),
        setTheme: record('setTheme', null),
        setOptions: record('setOptions', null),
        rpc: record('rpc', '0x1'),
        peerChanged: record('peerChanged', null),
        ping: record('ping', null),
        diagnose: record('diagnose', []),
        getIdentityToken: record('getIdentityToken', 'a.b.c'),
        getWallets: record('getWallets', []),
        getProfile: record('getProfile', {}),
        ...overrides,
      },
      events: {
        pageWallets: () => void dispatched.push('pageWallets'),
        walletEvent: () => void dispatched.push('walletEvent'),
        transacted: () => void dispatched.push('transacted'),
        signInChanged: () => void dispatched.push('signInChanged'),
        dismiss: () => void dispatched.push('dismiss'),
      },
    }),
  })
  page.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = Envelope.parse(data)
    received.push(message)
    waiting.get(message.id)?.(message)
  })
  page.start()
  cleanUp = () => {
    link.end()
    page.close()
  }

  function next(id: string): Promise<Envelope> {
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  function call(method: string, params: unknown = null, id: string = randomUUID()): Promise<Envelope> {
    const answer = next(id)
    page.postMessage({ v: 1, id, kind: 'request', method, params })
    return answer
  }
  async function asked(): Promise<Extract<Envelope, { kind: 'request' }>> {
    for (;;) {
      const found = received.find((message) => message.kind === 'request')
      if (found?.kind === 'request') return found
      await call('ping')
    }
  }
  return {
    link,
    page,
    clock,
    handled,
    dispatched,
    received,
    call,
    next,
    asked,
    warnings,
    ends: () => ends,
    begin: () => call('init', initParams),
  }
}

const errorOf = (code: string) => expect.objectContaining({ kind: 'error', error: expect.objectContaining({ code }) })

describe('createHostLink', () => {
  it('1. drops hostile values: none throws, reaches a handler or leaves state', async () => {
    const { page, call, handled, dispatched, received, begin } = setUp()
    await begin()
    const hostile = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
      fc.record({
        v: fc.anything(),
        id: fc.anything(),
        kind: fc.anything(),
        method: fc.anything(),
        params: fc.anything(),
      }),
      fc.record({
        v: fc.constant(1),
        id: fc.string(),
        kind: fc.constantFrom('result', 'error', 'cancel', 'event'),
        event: fc.anything(),
        data: fc.anything(),
        error: fc.anything(),
      }),
    )
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        try {
          page.postMessage(value)
        } catch {
          return
        }
      }),
      { numRuns: 400 },
    )
    await call('ping')
    expect(handled.map(({ method }) => method)).toEqual(['init', 'ping'])
    expect(dispatched).toEqual([])
    expect(received.filter(({ kind }) => kind !== 'result' && kind !== 'error')).toEqual([])
  })

  it('1. passes on no oversized message, cyclic values included', async () => {
    const { page, call, handled, dispatched, begin } = setUp()
    await begin()
    const cyclic: Record<string, unknown> = { v: 1, id: 'c', kind: 'request', method: 'ping' }
    cyclic.self = cyclic
    page.postMessage(cyclic)
    const text = 'x'.repeat(9_000_000)
    page.postMessage({ v: 1, id: 'big', kind: 'event', event: 'dismiss', data: text })
    page.postMessage([text])
    page.postMessage(text)
    page.postMessage({ v: 1, id: text, kind: 'request', method: 'ping' })
    let deep: unknown = null
    for (let level = 0; level < 2_000; level += 1) deep = [deep]
    await expect(call('open', deep)).resolves.toEqual(errorOf('INVALID_PARAMS'))
    expect(handled.map(({ method }) => method)).toEqual(['init'])
    expect(dispatched).toEqual([])
  })

  it.each([
    ['text', 'x'.repeat(9_000_000)],
    ['many values', Array.from({ length: 100_001 }, () => 0)],
    ['holes', new Array(4_000_000_000)],
  ])(
    '9. responds LIMIT_EXCEEDED to a request with too much of %s, and accepts it once it is smaller',
    async (_of, much) => {
      const { call, handled, begin } = setUp()
      await begin()
      const params = { namespace: 'eip155', method: 'eth_call' }
      await expect(call('rpc', { ...params, params: much }, 'big')).resolves.toEqual(errorOf('LIMIT_EXCEEDED'))
      expect(handled.map(({ method }) => method)).toEqual(['init'])
      await expect(call('rpc', params, 'big')).resolves.toMatchObject({ kind: 'result' })
    },
  )

  it('9. responds once if an oversized request repeats a pending one', async () => {
    let settle: (result: string) => void = () => {}
    const { page, call, received, begin } = setUp({ rpc: () => new Promise((resolve) => (settle = resolve)) })
    await begin()
    const params = { namespace: 'eip155', method: 'eth_call' }
    const answer = call('rpc', params, 'same')
    page.postMessage({ v: 1, id: 'same', kind: 'request', method: 'rpc', params: 'x'.repeat(9_000_000) })
    await call('ping')
    settle('0x1')
    expect(await answer).toMatchObject({ result: '0x1' })
    expect(received.filter(({ id }) => id === 'same')).toHaveLength(1)
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'then', 'INIT', 'init ', '', 'eth_sign'])(
    '2. responds METHOD_NOT_FOUND to %j',
    async (method) => {
      const { call, begin } = setUp()
      await begin()
      await expect(call(method)).resolves.toEqual(errorOf('METHOD_NOT_FOUND'))
    },
  )

  it('2. responds INVALID_PARAMS to hostile params of every method, without calling a handler', async () => {
    const { call, handled, begin } = setUp()
    await begin()
    const methods = Object.keys(hostMethods).filter(
      (method): method is HostMethod => !['init', 'setTheme', 'setOptions'].includes(method),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.anything({ withBigInt: true, withMap: true }),
        async (method, params) => {
          const isRight = Object.entries(hostMethods).some(
            ([name, { params: schema }]) => name === method && schema.safeParse(params ?? null).success,
          )
          fc.pre(!isRight)
          const before = handled.length
          let answer: Promise<Envelope>
          try {
            answer = call(method, params)
          } catch {
            return
          }
          expect(await answer).toEqual(errorOf('INVALID_PARAMS'))
          expect(handled).toHaveLength(before)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('2. leaves out options that it does not know, and tells the developer once', async () => {
    const { call, handled, warnings, begin } = setUp()
    await begin()
    expect(warnings).toEqual([])
    await call('setTheme', { theme: { accent: 'red', colour: 'red' }, colorScheme: 'light' })
    expect(handled.at(-1)).toMatchObject({ params: { theme: { accent: 'red' }, colorScheme: 'light' } })
    expect(warnings).toEqual(['Postern ignores options that it does not know: theme.colour'])
    await expect(call('open', { colour: 'red' })).resolves.toEqual(errorOf('INVALID_PARAMS'))
  })

  it('2. names what is wrong with the options', async () => {
    const { call, handled } = setUp()
    const issues = [{ path: 'theme.radius', message: 'Number must be less than or equal to 2' }]
    expect(await call('init', { ...initParams, theme: { radius: 9 } })).toMatchObject({
      error: { code: 'INVALID_PARAMS', data: { issues } },
    })
    expect(handled).toEqual([])
  })

  it('3. rejects every request before init, and drops events (spec §8)', async () => {
    const { page, call, handled, dispatched, begin } = setUp()
    page.postMessage({ v: 1, id: 'e', kind: 'event', event: 'dismiss', data: null })
    const methods = Object.keys(hostMethods).filter((method) => method !== 'init')
    for (const method of methods) await expect(call(method), method).resolves.toEqual(errorOf('CLIENTS_NOT_SET'))
    expect(handled).toEqual([])
    expect(dispatched).toEqual([])
    await begin()
    page.postMessage({ v: 1, id: 'e', kind: 'event', event: 'dismiss', data: null })
    await call('ping')
    expect(dispatched).toEqual(['dismiss'])
  })

  it('3. accepts init once, or again after a failure, and makes other requests wait for it', async () => {
    let finish: () => void = () => {}
    const { call, handled, begin } = setUp({ init: () => new Promise((resolve) => (finish = () => resolve(state))) })
    await expect(call('init', { projectId: 'demo' })).resolves.toEqual(errorOf('INVALID_PARAMS'))
    const first = begin()
    const early = call('ping')
    await expect(call('init', initParams)).resolves.toEqual(errorOf('INVALID_REQUEST'))
    expect(handled).toEqual([])
    finish()
    expect(await first).toMatchObject({ kind: 'result', result: state })
    expect(await early).toMatchObject({ kind: 'result' })
  })

  it('4. serves an id once, pending or done, always with the same response', async () => {
    let runs = 0
    const settle: ((value: unknown) => void)[] = []
    const { call, received, begin } = setUp({
      rpc: () => {
        runs += 1
        return new Promise((resolve) => settle.push(resolve))
      },
    })
    await begin()
    const params = { namespace: 'eip155', method: 'eth_blockNumber' }
    call('rpc', params, 'same')
    const answer = call('rpc', params, 'same')
    await call('ping')
    settle[0]?.('0x10')
    expect(await answer).toMatchObject({ result: '0x10' })
    expect(await call('rpc', { ...params, method: 'eth_gasPrice' }, 'same')).toMatchObject({ result: '0x10' })
    expect(runs).toBe(1)
    expect(received.filter(({ id }) => id === 'same')).toHaveLength(2)
  })

  it('4. caches a bounded number of responses', async () => {
    const { call, handled, begin } = setUp()
    await begin()
    for (let at = 0; at <= maxCachedAnswers; at += 1) await call('ping', null, `id-${at}`)
    const before = handled.length
    await call('ping', null, `id-${maxCachedAnswers}`)
    expect(handled).toHaveLength(before)
    await call('ping', null, 'id-0')
    expect(handled).toHaveLength(before + 1)
  })

  it('5. aborts a cancelled handler, sends no response, and does not run its replay', async () => {
    const signals: AbortSignal[] = []
    const { page, call, received, begin } = setUp({
      rpc: (_params, signal) => {
        signals.push(signal)
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    await begin()
    const params = { namespace: 'eip155', method: 'eth_blockNumber' }
    call('rpc', params, 'gone')
    await call('ping')
    page.postMessage({ v: 1, id: 'gone', kind: 'cancel' })
    await call('ping')
    expect(signals).toHaveLength(1)
    expect(signals[0]?.aborted).toBe(true)
    expect(received.some(({ id }) => id === 'gone')).toBe(false)
    await expect(call('rpc', params, 'gone')).resolves.toEqual(errorOf('ABORTED'))
    expect(signals).toHaveLength(1)
  })

  it('6. responds LIMIT_EXCEEDED to one request too many', async () => {
    const { call, begin } = setUp({ rpc: () => new Promise(() => {}) })
    await begin()
    const params = { namespace: 'eip155', method: 'eth_blockNumber' }
    for (let at = 0; at < maxOpenRequests; at += 1) void call('rpc', params)
    await expect(call('rpc', params)).resolves.toEqual(errorOf('LIMIT_EXCEEDED'))
  })

  it('exposes no details if a handler fails or its result cannot cross', async () => {
    const { call, begin } = setUp({
      ping: () => {
        throw new Error('secret detail')
      },
      rpc: () => () => {},
      close: () => {
        throw new Failure('CLOSE_REFUSED')
      },
    })
    await begin()
    const failed = await call('ping')
    expect(failed).toEqual(errorOf('INTERNAL'))
    expect(JSON.stringify(failed)).not.toContain('secret')
    await expect(call('rpc', { namespace: 'eip155', method: 'eth_blockNumber' })).resolves.toEqual(errorOf('INTERNAL'))
    await expect(call('close')).resolves.toEqual(errorOf('CLOSE_REFUSED'))
  })

  describe('7. a request to the page settles once', () => {
    const request = { wallet: 'w', method: 'eth_accounts' } as const

    it('with its result', async () => {
      const { link, page, asked, begin } = setUp()
      await begin()
      const answer = link.request('walletRequest', request)
      const { id, method, params } = await asked()
      expect({ method, params }).toEqual({ method: 'walletRequest', params: request })
      page.postMessage({ v: 1, id: 'another', kind: 'result', result: ['0xwrong'] })
      page.postMessage({ v: 1, id, kind: 'result', result: ['0xa'] })
      page.postMessage({ v: 1, id, kind: 'error', error: { code: 'INTERNAL', message: 'late' } })
      await expect(answer).resolves.toEqual(['0xa'])
    })

    it('with its error, including the wallet’s code and message', async () => {
      const { link, page, asked, begin } = setUp()
      await begin()
      const answer = link.request('walletRequest', request)
      const { id } = await asked()
      page.postMessage({
        v: 1,
        id,
        kind: 'error',
        error: { code: 'made up', message: 'reverted', rpc: 3, data: '0x08' },
      })
      await expect(answer).rejects.toMatchObject({ code: 'INTERNAL', message: 'reverted', rpc: 3, data: '0x08' })
    })

    it('with INTERNAL if the response is malformed', async () => {
      const { link, page, asked, begin } = setUp()
      await begin()
      const answer = link.request('store', { key: 'a', value: 'b' })
      page.postMessage({ v: 1, id: (await asked()).id, kind: 'result', result: 'yes' })
      await expect(answer).rejects.toMatchObject({ code: 'INTERNAL' })
    })

    it.each([
      ['result', { result: 'x'.repeat(9_000_000) }],
      ['error', { error: { code: 'INTERNAL', message: 'x'.repeat(9_000_000) } }],
    ])('with LIMIT_EXCEEDED if its %s is oversized', async (kind, more) => {
      const { link, page, asked, begin } = setUp()
      await begin()
      const answer = link.request('walletRequest', request)
      page.postMessage({ v: 1, id: (await asked()).id, kind, ...more })
      await expect(answer).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    })

    it('when its signal aborts, which cancels it in the page', async () => {
      const { link, call, received, begin } = setUp()
      await begin()
      const controller = new AbortController()
      const answer = link.request('walletRequest', request, { signal: controller.signal })
      controller.abort()
      await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
      await call('ping')
      expect(received.filter(({ kind }) => kind === 'cancel')).toHaveLength(1)
      await expect(link.request('walletRequest', request, { signal: controller.signal })).rejects.toMatchObject({
        code: 'ABORTED',
      })
    })

    it('when it times out, which cancels it in the page', async () => {
      const { link, clock, call, received, begin } = setUp()
      await begin()
      const answer = link.request('store', { key: 'a', value: null })
      clock.advance(10_000)
      await expect(answer).rejects.toMatchObject({ code: 'TIMEOUT' })
      await call('ping')
      expect(received.filter(({ kind }) => kind === 'cancel')).toHaveLength(1)
      expect(clock.pending()).toBe(0)
    })

    it('when the link ends', async () => {
      const { link, begin } = setUp()
      await begin()
      const answer = link.request('walletRequest', request)
      link.end()
      await expect(answer).rejects.toMatchObject({ code: 'LINK_CLOSED' })
      await expect(link.request('walletRequest', request)).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    })
  })

  it('8. ends when the page closes its port: handlers abort, and no request stays pending', async () => {
    let ended: () => void = () => {}
    const aborted = new Promise<void>((resolve) => (ended = resolve))
    const { page, link, clock, ends, begin } = setUp({
      init: (_params, signal) => {
        signal.addEventListener('abort', ended)
        return new Promise(() => {})
      },
    })
    void begin()
    const answer = link.request('store', { key: 'a', value: 'b' })
    await new Promise<void>((resolve) => page.addEventListener('message', () => resolve(), { once: true }))
    page.close()
    await aborted
    await expect(answer).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    expect(clock.pending()).toBe(0)
    expect(ends()).toBe(1)
    link.end()
    expect(ends()).toBe(1)
  })

  it('10. an error says what to do once the fixes have loaded', async () => {
    const { call, begin, link } = setUp({
      disconnect: () => {
        throw new Failure('DISCONNECT_FAILED')
      },
    })
    await begin()
    const early = await call('disconnect', {}, 'a')
    expect(early.kind === 'error' && early.error).toEqual(toLinkError(new Failure('DISCONNECT_FAILED')))
    link.setFixes(fixes)
    expect(await call('disconnect', {}, 'b')).toMatchObject({ error: { fix: fixes.DISCONNECT_FAILED } })
  })
})
