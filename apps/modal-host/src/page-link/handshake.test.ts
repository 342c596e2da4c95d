import { linkVersion } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { frameWindow } from '../testing/frame-window'
import { type Accepted, acceptHandshake } from './handshake'

const origin = 'https://dapp.example'
const hello = { type: 'postern:hello', v: 1, min: 1, sdk: '1.0.0' }

function setUp(options: { allowedOrigins?: string[]; isTopLevel?: boolean } = {}) {
  const frame = frameWindow(options)
  const accepted: Accepted[] = []
  const stop = acceptHandshake({
    window: frame.window,
    project: { allowedOrigins: options.allowedOrigins ?? [origin], defaultAncestors: false },
    hostVersion: '2.0.0',
    onAccepted: (value) => accepted.push(value),
  })
  return { ...frame, accepted, stop }
}

function firstWord(port: MessagePort): Promise<unknown> {
  return new Promise((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      resolve(data)
      port.close()
    })
    port.addEventListener('close', () => resolve('closed'))
    port.start()
  })
}

describe('acceptHandshake', () => {
  it('1. sends only the knock to its parent, for any origin', () => {
    const { posted } = setUp()
    expect(posted).toEqual([{ message: 'postern:ready', target: '*' }])
  })

  it('2. accepts its parent', async () => {
    const { receive, accepted } = setUp()
    const { port1, port2 } = new MessageChannel()
    receive({ data: hello, origin, ports: [port2] })
    expect(await firstWord(port1)).toEqual({ kind: 'welcome', v: linkVersion, host: '2.0.0' })
    expect(accepted).toEqual([{ port: port2, origin, sdk: '1.0.0' }])
  })

  it.each([
    ['a sibling or child frame', { postMessage() {} }],
    ['a message without a source', null],
    ['a closed window', undefined],
  ])('2. sends %s no response, closes its port, and still accepts the parent', async (_who, source) => {
    const { receive, accepted } = setUp()
    const forged = new MessageChannel()
    receive({ data: hello, origin, source, ports: [forged.port2] })
    expect(await firstWord(forged.port1)).toBe('closed')
    expect(accepted).toEqual([])
    const { port1, port2 } = new MessageChannel()
    receive({ data: hello, origin, ports: [port2] })
    expect(await firstWord(port1)).toMatchObject({ kind: 'welcome' })
  })

  it.each([
    ['https://evil.example'],
    ['http://dapp.example'],
    ['https://dapp.example:8443'],
    ['https://dapp.example.evil.com'],
    ['https://notdapp.example'],
    ['https://sub.dapp.example'],
    ['null'],
    [''],
  ])('3. rejects and names the origin %s, and still accepts the right one', async (wrong) => {
    const { receive, accepted } = setUp()
    const first = new MessageChannel()
    receive({ data: { ...hello, origin }, origin: wrong, ports: [first.port2] })
    expect(await firstWord(first.port1)).toMatchObject({
      kind: 'refused',
      origin: wrong,
      error: { code: 'ORIGIN_NOT_ALLOWED', message: 'Unauthorized: origin not allowed' },
    })
    expect(accepted).toEqual([])
    const second = new MessageChannel()
    receive({ data: hello, origin, ports: [second.port2] })
    expect(await firstWord(second.port1)).toMatchObject({ kind: 'welcome' })
  })

  it('4. uses the newest common version, also with an SDK that sends more fields', async () => {
    const { receive } = setUp()
    const { port1, port2 } = new MessageChannel()
    receive({ data: { ...hello, v: linkVersion + 3, min: 1, colour: 'blue' }, origin, ports: [port2] })
    expect(await firstWord(port1)).toMatchObject({ kind: 'welcome', v: linkVersion })
  })

  it('4. responds VERSION_MISMATCH if there is no common version', async () => {
    const { receive, accepted } = setUp()
    const { port1, port2 } = new MessageChannel()
    receive({ data: { ...hello, v: linkVersion + 3, min: linkVersion + 1 }, origin, ports: [port2] })
    expect(await firstWord(port1)).toMatchObject({ kind: 'refused', error: { code: 'VERSION_MISMATCH' } })
    expect(accepted).toEqual([])
  })

  it.each([
    ['no versions', { type: 'postern:hello' }],
    ['a version of another type', { ...hello, v: '1' }],
    ['a field too many', { ...hello, extra: true }],
  ])('5. rejects a hello with %s', async (_what, data) => {
    const { receive, accepted } = setUp()
    const { port1, port2 } = new MessageChannel()
    receive({ data, origin, ports: [port2] })
    expect(await firstWord(port1)).toMatchObject({ kind: 'refused', error: { code: 'INVALID_REQUEST' } })
    expect(accepted).toEqual([])
  })

  it('5. rejects two ports, and ignores messages of other libraries', async () => {
    const { receive, accepted, listenerCount } = setUp()
    for (const data of [null, 'webpackHotUpdate', 42, { type: 'other' }, [hello]]) receive({ data, origin })
    receive({ data: hello, origin })
    const [first, second] = [new MessageChannel(), new MessageChannel()]
    receive({ data: hello, origin, ports: [first.port2, second.port2] })
    expect(await firstWord(first.port1)).toMatchObject({ kind: 'refused' })
    expect(await firstWord(second.port1)).toBe('closed')
    expect(accepted).toEqual([])
    expect(listenerCount()).toBe(1)
  })

  it('6. accepts one page, then ignores window messages', () => {
    const { receive, accepted, listenerCount } = setUp()
    const [first, second] = [new MessageChannel(), new MessageChannel()]
    receive({ data: hello, origin, ports: [first.port2] })
    receive({ data: hello, origin, ports: [second.port2] })
    expect(accepted.map(({ port }) => port)).toEqual([first.port2])
    expect(listenerCount()).toBe(0)
    for (const { port1 } of [first, second]) port1.close()
  })

  it('7. neither knocks nor listens when it is not framed', () => {
    const { posted, listenerCount } = setUp({ isTopLevel: true })
    expect(posted).toEqual([])
    expect(listenerCount()).toBe(0)
  })

  it('stops listening when ended', () => {
    const { stop, listenerCount } = setUp()
    stop()
    expect(listenerCount()).toBe(0)
  })
})
