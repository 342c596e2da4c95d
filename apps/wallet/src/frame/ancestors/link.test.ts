import { walletKnock } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectToModal } from './link'

const modalOrigin = 'https://modal.test'
const hello = { type: 'postern:wallet-hello', v: 1 }

function setUp() {
  const target = new EventTarget()
  const sent: { message: unknown; targetOrigin: string }[] = []
  const parent = {
    postMessage: (message: unknown, targetOrigin: string) => {
      sent.push({ message, targetOrigin })
    },
  }
  const taken: MessagePort[] = []
  const listeners = new Set<unknown>()
  const window = {
    parent,
    addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void) {
      listeners.add(listener)
      target.addEventListener(type, (event) => {
        if (listeners.has(listener) && event instanceof MessageEvent) listener(event)
      })
    },
    removeEventListener(_: 'message', listener: unknown) {
      listeners.delete(listener)
    },
  }
  const stop = connectToModal({ window, modalOrigin, onConnected: (port) => taken.push(port) })
  onTestFinished(stop)

  function post(data: unknown, from: { source?: unknown; origin?: string; ports?: number } = {}) {
    const { source = parent, origin = modalOrigin, ports = 1 } = from
    const channels = Array.from({ length: ports }, () => new MessageChannel())
    let closed = 0
    for (const { port1, port2 } of channels) {
      const close = port2.close.bind(port2)
      port2.close = () => {
        closed += 1
        close()
      }
      onTestFinished(() => {
        port1.close()
        close()
      })
    }
    const event = new MessageEvent('message', { data, origin })
    Object.defineProperty(event, 'source', { value: source })
    Object.defineProperty(event, 'ports', { value: channels.map(({ port2 }) => port2) })
    target.dispatchEvent(event)
    return closed
  }

  return { post, taken, sent, parent, listeners, window }
}

describe('the handshake with the modal', () => {
  it('1. announces itself to the modal’s origin only', () => {
    const { sent } = setUp()
    expect(sent).toEqual([{ message: walletKnock, targetOrigin: modalOrigin }])
  })

  it('accepts the modal’s hello, and nothing after it', () => {
    const { post, taken, listeners } = setUp()
    expect(post(hello)).toBe(0)
    expect(taken).toHaveLength(1)
    expect(listeners.size).toBe(0)
    post(hello)
    expect(taken).toHaveLength(1)
  })

  it.each([
    ['the dapp’s page', { source: {}, origin: 'https://app.example' }],
    ['another frame at the modal’s origin', { source: {}, origin: modalOrigin }],
    ['the parent after it went elsewhere', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['a look-alike', { origin: 'https://modal.test.evil.example' }],
    ['the other scheme', { origin: 'http://modal.test' }],
    ['no window', { source: null }],
  ])('2. ignores a hello from %s, and leaves the slot free', (_, from) => {
    const { post, taken } = setUp()
    expect(post(hello, from)).toBe(1)
    expect(taken).toEqual([])
    post(hello)
    expect(taken).toHaveLength(1)
  })

  it.each([
    ['no port', hello, 0],
    ['two ports', hello, 2],
    ['another version', { ...hello, v: 2 }, 1],
    ['more than it knows', { ...hello, admin: true }, 1],
    ['no version', { type: hello.type }, 1],
  ])('3. rejects a hello with %s', (_, data, ports) => {
    const { post, taken } = setUp()
    expect(post(data, { ports })).toBe(ports)
    expect(taken).toEqual([])
    post(hello)
    expect(taken).toHaveLength(1)
  })

  it('5. does nothing as the top-level page', () => {
    const sent: unknown[] = []
    const window = {
      addEventListener: () => sent.push('listened'),
      removeEventListener: () => {},
      postMessage: (message: unknown) => {
        sent.push(message)
      },
      get parent() {
        return this
      },
    }
    connectToModal({ window, modalOrigin, onConnected: () => sent.push('connected') })
    expect(sent).toEqual([])
  })

  it('never throws, whatever arrives', () => {
    const { post, taken } = setUp()
    fc.assert(
      fc.property(fc.anything(), fc.string(), (data, origin) => {
        post(data, { origin, ports: 0 })
      }),
    )
    expect(taken).toEqual([])
  })
})
