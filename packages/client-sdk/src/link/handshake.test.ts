import * as protocol from '@postern/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PosternError } from '../shared/errors'
import { answerKnocks, knock, linkVersion, minLinkVersion } from './handshake'

const origin = 'https://modal.example'

type Posted = { readonly data: unknown; readonly target: string; readonly port: MessagePort }

function setUp() {
  const window = new EventTarget()
  const posted: Posted[] = []
  const frame = {
    postMessage(data: unknown, target: string, [port]: Transferable[]) {
      if (port instanceof MessagePort) posted.push({ data, target, port })
    },
  }
  const received: { knocks: number; welcome: MessagePort[]; refused: PosternError[] } = {
    knocks: 0,
    welcome: [],
    refused: [],
  }
  let tell = () => {}
  const stop = answerKnocks({
    window,
    iframe: { contentWindow: frame },
    origin,
    sdk: '1.2.3',
    onKnock: () => received.knocks++,
    onWelcome: (port) => {
      received.welcome.push(port)
      tell()
    },
    onRefused: (error) => {
      received.refused.push(error)
      tell()
    },
  })
  const message = (data: unknown, source: unknown = frame, from = origin) =>
    window.dispatchEvent(Object.assign(new Event('message'), { data, source, origin: from }))
  const answer = async (data: unknown) => {
    const said = new Promise<void>((resolve) => {
      tell = resolve
    })
    posted.at(-1)?.port.postMessage(data)
    await said
  }
  return { message, posted, received, answer, stop }
}

let page: ReturnType<typeof setUp>
beforeEach(() => {
  page = setUp()
})
afterEach(() => {
  page.stop()
  for (const { port } of page.posted) port.close()
  for (const port of page.received.welcome) port.close()
})

test('the constants equal those of the protocol', () => {
  expect([linkVersion, minLinkVersion, knock]).toEqual([
    protocol.linkVersion,
    protocol.oldestLinkVersion,
    protocol.knock,
  ])
})

describe('1. ignored senders and messages', () => {
  test.each([
    ['another frame', { postMessage() {} }, origin],
    ['the page itself', null, origin],
    ['the own frame, navigated elsewhere', undefined, 'https://evil.example'],
    ['a look-alike origin', undefined, 'https://modal.example.evil'],
    ['another port of the host', undefined, 'https://modal.example:8443'],
    ['an opaque origin', undefined, 'null'],
  ])('ignores %s', (_, source, from) => {
    page.message(knock, source, from)
    expect([page.posted.length, page.received.knocks]).toEqual([0, 0])
  })

  test.each([[''], [null], [{ type: 'postern:ready' }], ['postern:hello']])(
    'ignores a message that is not a knock: %o',
    (data) => {
      page.message(data)
      expect(page.posted).toEqual([])
    },
  )
})

test('2. answers a knock from the own frame with one hello, sent to the host’s origin only', () => {
  page.message(knock)
  expect(page.posted).toMatchObject([{ target: origin }])
  expect(protocol.Hello.safeParse(page.posted[0]?.data)).toMatchObject({
    success: true,
    data: { v: 1, min: 1, sdk: '1.2.3' },
  })
})

test('3. a second knock starts a new handshake on a new port', async () => {
  page.message(knock)
  page.message(knock)
  expect(page.posted).toHaveLength(2)
  await page.answer({ kind: 'welcome', v: 1, host: '1' })
  expect(page.received.welcome).toHaveLength(1)
})

describe('4. the first message on the port', () => {
  test('a welcome hands over the port', async () => {
    page.message(knock)
    await page.answer({ kind: 'welcome', v: 1, host: '1' })
    expect([page.received.welcome.length, page.received.refused.length]).toEqual([1, 0])
  })

  test('a refusal reports its reason', async () => {
    page.message(knock)
    await page.answer({
      kind: 'refused',
      error: { code: 'ORIGIN_NOT_ALLOWED', message: 'm' },
      origin: 'https://dapp.example',
    })
    expect(page.received.refused).toMatchObject([{ code: 'ORIGIN_NOT_ALLOWED', message: 'm' }])
  })

  test.each([
    [{ kind: 'welcome', v: 2, host: '9' }],
    [{ kind: 'welcome' }],
    [null],
    ['x'],
    [{ v: 1, id: '1', kind: 'result' }],
  ])('anything else is VERSION_MISMATCH: %o', async (data) => {
    page.message(knock)
    await page.answer(data)
    expect([page.received.welcome.length, page.received.refused.map(({ code }) => code)]).toEqual([
      0,
      ['VERSION_MISMATCH'],
    ])
  })
})

test('ignores knocks after stop', () => {
  page.stop()
  page.message(knock)
  expect(page.posted).toEqual([])
})
