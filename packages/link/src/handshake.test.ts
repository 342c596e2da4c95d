import { describe, expect, it, onTestFinished } from 'vitest'
import { acceptHellos, acceptParent, type FramedWindow, type HelloVerdict, offerPort } from './handshake'

type Listener = (event: MessageEvent<unknown>) => void

const checkHello = ({ data, origin }: MessageEvent<unknown>): HelloVerdict<unknown> => {
  if (data !== 'hello') return { kind: 'ignored' }
  return origin === 'https://good.example' ? { kind: 'accepted', offer: origin } : { kind: 'refused', refusal: 'no' }
}

function setUp({ isFramed = true, isOnce = true } = {}) {
  const listeners = new Set<Listener>()
  const knocks: unknown[] = []
  const accepted: unknown[] = []
  const parent = { postMessage: (message: unknown, target: string) => void knocks.push([message, target]) }
  const frame = {
    addEventListener: (_: 'message', listener: Listener) => void listeners.add(listener),
    removeEventListener: (_: 'message', listener: Listener) => void listeners.delete(listener),
    postMessage: parent.postMessage,
  }
  const window = {
    ...frame,
    get parent(): FramedWindow['parent'] {
      return isFramed ? parent : this
    },
  }
  const knock = { message: 'knock', targetOrigin: 'https://good.example' }
  const onAccepted = (_: MessagePort, offer: unknown) => void accepted.push(offer)
  const stop = isOnce
    ? acceptParent({ window, knock, checkHello, onAccepted })
    : acceptHellos({ window, checkHello, onAccepted })

  /** Returns what the other ends of the ports received. */
  async function post(data: unknown, given: { source?: unknown; origin?: string; ports?: number } = {}) {
    const { source = parent, origin = 'https://good.example', ports = 1 } = given
    const channels = Array.from({ length: ports }, () => new MessageChannel())
    const heard: unknown[] = []
    const closed = channels.map(({ port1, port2 }) => {
      onTestFinished(() => {
        port1.close()
        port2.close()
      })
      return new Promise<void>((resolve) => {
        port1.addEventListener('message', (event) => heard.push(event.data))
        port1.addEventListener('close', () => {
          heard.push('closed')
          resolve()
        })
        port1.start()
      })
    })
    const event = new MessageEvent('message', { data, origin })
    Object.defineProperty(event, 'source', { value: source })
    Object.defineProperty(event, 'ports', { value: channels.map(({ port2 }) => port2) })
    const before = accepted.length
    for (const listener of [...listeners]) listener(event)
    if (accepted.length === before && data === 'hello' && listeners.size > 0) await Promise.all(closed)
    return heard
  }
  return { post, accepted, knocks, listeners, stop }
}

describe('acceptHellos', () => {
  it.each([0, 2])('1. 2. closes the ports of a hello with %i ports', async (ports) => {
    const { post, accepted } = setUp({ isOnce: false })
    expect(await post('hello', { ports })).toEqual(Array.from({ length: ports }, () => 'closed'))
    expect(accepted).toEqual([])
  })

  it('1. 2. refuses on the first port, accepts every good hello, and ignores the rest', async () => {
    const { post, accepted, listeners, stop } = setUp({ isOnce: false })
    expect(await post('hello', { origin: 'https://evil.example' })).toEqual(['no', 'closed'])
    expect(await post('other', { origin: 'https://evil.example' })).toEqual([])
    await post('hello')
    await post('hello', { source: null })
    expect(accepted).toHaveLength(2)
    stop()
    expect(listeners.size).toBe(0)
  })
})

describe('acceptParent', () => {
  it('3. knocks at its parent, for one origin', () => {
    expect(setUp().knocks).toEqual([['knock', 'https://good.example']])
  })

  it('4. answers no other sender, closes its ports, and leaves the slot free', async () => {
    const { post, accepted } = setUp()
    for (const source of [null, {}, { postMessage() {} }]) expect(await post('hello', { source })).toEqual(['closed'])
    await post('hello')
    expect(accepted).toEqual(['https://good.example'])
  })

  it('5. a refusal leaves the slot free, and the first accepted hello takes it', async () => {
    const { post, accepted, listeners } = setUp()
    expect(await post('hello', { origin: 'https://evil.example' })).toEqual(['no', 'closed'])
    await post('hello')
    await post('hello')
    expect([accepted.length, listeners.size]).toEqual([1, 0])
  })

  it('6. neither knocks nor listens as the top-level page', () => {
    const { knocks, listeners } = setUp({ isFramed: false })
    expect([knocks, listeners.size]).toEqual([[], 0])
  })
})

it('offerPort posts the other end of the port to one origin', async () => {
  const posted: unknown[][] = []
  const port = offerPort({ postMessage: (...given) => void posted.push(given) }, 'hello', 'https://good.example')
  onTestFinished(() => port.close())
  const [[message, origin, transfer] = []] = posted
  expect([message, origin]).toEqual(['hello', 'https://good.example'])
  const other = Array.isArray(transfer) ? transfer[0] : null
  const heard = new Promise((resolve) => port.addEventListener('message', ({ data }) => resolve(data)))
  port.start()
  if (other instanceof MessagePort) other.postMessage('hi')
  expect(await heard).toBe('hi')
})
