import {
  parseWalletFramePayload,
  parseWalletFrameRequest,
  type WalletFrameRequestName,
  walletFrameRequests,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Handlers, maxInFlight, serve } from './serve'

type Call = {
  name: string
  payload: unknown
  signal: AbortSignal
  settle(value: unknown): void
  fail(error: unknown): void
}

function isComplete(handlers: Partial<Record<string, unknown>>): handlers is Handlers {
  return Object.keys(walletFrameRequests).every((name) => typeof handlers[name] === 'function')
}

function setUp(answer?: (name: string, payload: unknown) => unknown) {
  const { port1: modal, port2: port } = new MessageChannel()
  const calls: Call[] = []
  const replies: { id: string; type: string; payload?: { code?: string } }[] = []
  let woken = () => {}
  modal.onmessage = ({ data }) => {
    replies.push(data)
    woken()
  }
  const handlers: Record<string, unknown> = {}
  for (const name of Object.keys(walletFrameRequests)) {
    handlers[name] = (payload: unknown, { signal }: { signal: AbortSignal }) => {
      if (answer !== undefined) return answer(name, payload)
      return new Promise((settle, fail) => {
        calls.push({ name, payload, signal, settle, fail })
        woken()
      })
    }
  }
  if (!isComplete(handlers)) throw new Error('a handler is missing')
  const ended: number[] = []
  const service = serve({
    port,
    handlers,
    toFailure: (thrown) => (thrown instanceof Failure ? thrown : new Failure('INTERNAL')),
    onEnd: () => ended.push(1),
  })
  onTestFinished(() => {
    service.end()
    modal.close()
  })
  async function until(condition: () => boolean) {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        woken = resolve
      })
    }
  }
  return { modal, calls, replies, until, service, ended }
}

const ask = (id: string, name: string, payload?: unknown) => ({ id, type: `@w3m-app/${name}`, payload })

describe('the frame’s end of the link', () => {
  it('2. rejects an invalid payload without calling the handler', async () => {
    const { modal, calls, replies, until } = setUp()
    modal.postMessage(ask('1', 'CONNECT_EMAIL', { mail: 1 }))
    await until(() => replies.length === 1)
    expect(replies).toMatchObject([
      { id: '1', type: '@w3m-frame/CONNECT_EMAIL_ERROR', payload: { code: 'INVALID_PARAMS' } },
    ])
    expect(calls).toEqual([])
  })

  it('4. serves an id once: a replay joins, or gets the same response', async () => {
    const { modal, calls, replies, until } = setUp()
    modal.postMessage(ask('1', 'GET_CHAIN_ID'))
    modal.postMessage(ask('1', 'GET_CHAIN_ID'))
    modal.postMessage(ask('1', 'SIGN_OUT'))
    await until(() => calls.length === 1)
    calls[0]?.settle({ chainId: 1 })
    await until(() => replies.length === 1)
    modal.postMessage(ask('1', 'GET_CHAIN_ID'))
    await until(() => replies.length === 2)
    expect(replies[1]).toEqual(replies[0])
    expect(calls).toHaveLength(1)
  })

  it('5. aborts a request, and settles it even if its handler ignores the signal', async () => {
    const { modal, calls, replies, until } = setUp()
    modal.postMessage(ask('1', 'CONNECT_DEVICE'))
    await until(() => calls.length === 1)
    modal.postMessage(ask('2', 'RPC_ABORT', { id: '1' }))
    modal.postMessage(ask('3', 'RPC_ABORT', { id: 'unknown' }))
    await until(() => replies.length === 3)
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(replies.find(({ id }) => id === '1')).toMatchObject({ payload: { code: 'ABORTED' } })
    expect(replies.filter(({ type }) => type === '@w3m-frame/RPC_ABORT_SUCCESS')).toHaveLength(2)
    calls[0]?.settle(null)
    modal.postMessage(ask('4', 'RPC_ABORT', { id: '1' }))
    await until(() => replies.length === 4)
    expect(replies.filter(({ id }) => id === '1')).toHaveLength(1)
  })

  it('6. limits open requests, and accepts more when one settles', async () => {
    const { modal, calls, replies, until } = setUp()
    for (let index = 0; index <= maxInFlight; index += 1) modal.postMessage(ask(`r${index}`, 'GET_USER'))
    await until(() => replies.length === 1)
    expect(replies[0]).toMatchObject({ id: `r${maxInFlight}`, payload: { code: 'LIMIT_EXCEEDED' } })
    calls[0]?.fail(new Failure('UNAUTHORIZED'))
    await until(() => replies.length === 2)
    modal.postMessage(ask(`r${maxInFlight}`, 'GET_USER'))
    await until(() => calls.length === maxInFlight + 1)
  })

  it.each([
    ['does not fit its own schema', { chainId: {} }],
    ['cannot be cloned', { chainId: 1, extra: () => 1 }],
    ['is missing', undefined],
  ])('7. responds INTERNAL if a handler’s result %s', async (why, value) => {
    const { modal, replies, until } = setUp(() => value)
    modal.postMessage(ask('1', 'GET_CHAIN_ID'))
    await until(() => replies.length === 1)
    // Unknown fields are stripped.
    const expected = why === 'cannot be cloned' ? '@w3m-frame/GET_CHAIN_ID_SUCCESS' : '@w3m-frame/GET_CHAIN_ID_ERROR'
    expect(replies[0]?.type).toBe(expected)
  })

  it('7. responds INTERNAL if a result cannot be cloned', async () => {
    const { modal, replies, until } = setUp(() => () => 1)
    modal.postMessage(ask('1', 'RPC_REQUEST', { method: 'eth_chainId' }))
    await until(() => replies.length === 1)
    expect(replies[0]).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR', payload: { code: 'INTERNAL' } })
  })

  it('settles a handler that throws synchronously', async () => {
    const { modal, replies, until } = setUp(() => {
      throw new TypeError('with a secret in it')
    })
    modal.postMessage(ask('1', 'GET_USER'))
    await until(() => replies.length === 1)
    expect(JSON.stringify(replies)).not.toContain('secret')
  })

  it('ends with its port: aborts handlers, and sends no response', async () => {
    const { modal, calls, replies, until, service, ended } = setUp()
    modal.postMessage(ask('1', 'GET_USER'))
    await until(() => calls.length === 1)
    service.end()
    service.end()
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(ended).toEqual([1])
    expect(replies).toEqual([])
  })

  it('1. rejects an oversized message, and responds to it', async () => {
    const { modal, calls, replies, until } = setUp()
    modal.postMessage(ask('1', 'RPC_REQUEST', { method: 'eth_call', params: 'x'.repeat(9_000_000) }))
    modal.postMessage(ask('2', 'GET_CHAIN_ID'))
    await until(() => replies.length === 1 && calls.length === 1)
    expect(replies[0]).toMatchObject({ id: '1', payload: { code: 'LIMIT_EXCEEDED' } })
    expect(calls.map(({ name }) => name)).toEqual(['GET_CHAIN_ID'])
  })

  it('1. 2. 3. never throws, passes only valid payloads to handlers, and settles every request', async () => {
    const seen: { name: string; payload: unknown }[] = []
    const { modal, replies, until } = setUp()
    const names = Object.keys(walletFrameRequests)
    const message = fc.record(
      {
        id: fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.anything()),
        type: fc.oneof(fc.constantFrom(...names.map((name) => `@w3m-app/${name}`)), fc.string()),
        payload: fc.oneof(
          fc.anything(),
          fc.constantFrom(undefined, null, {}, { otp: '1' }, { chainId: 1 }, { id: 'x', digest: 'y' }, { email: 'a' }),
        ),
      },
      { requiredKeys: [] },
    )
    const settled = setUp((name, payload) => {
      seen.push({ name, payload })
      return undefined
    })
    let marker = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(), message), async (value) => {
        let clone: unknown
        try {
          clone = structuredClone(value)
        } catch {
          return
        }
        const request = parseWalletFrameRequest(clone)
        marker += 1
        const id = `marker-${marker}`
        settled.modal.postMessage(clone)
        settled.modal.postMessage(ask(id, 'RPC_ABORT', { id: 'unknown' }))
        await settled.until(() => settled.replies.some((reply) => reply.id === id))
        if (request !== null) expect(settled.replies.some((reply) => reply.id === request.id)).toBe(true)
      }),
      { numRuns: 500 },
    )
    for (const { name, payload } of seen) expect(parseWalletFramePayload(nameOf(name), payload)).not.toBeNull()
    modal.postMessage(ask('still', 'RPC_ABORT', { id: 'unknown' }))
    await until(() => replies.length === 1)
  })
})

function nameOf(name: string): WalletFrameRequestName {
  const request = parseWalletFrameRequest(ask('1', name))
  if (request === null) throw new Error(`${name} is no request`)
  return request.name
}
