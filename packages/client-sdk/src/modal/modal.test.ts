// @vitest-environment happy-dom
import type { Envelope, HostState, PageWallet } from '@postern/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { knock } from '../link/handshake'
import { createState } from '../state/state'
import type { Theme } from '../types/index'
import type { Modal, ModalOptions } from './contract'
import { createModal } from './modal'

const origin = 'https://modal.example'
const told: HostState = {
  seq: 1,
  open: false,
  themeMode: 'light',
  networks: [],
  activeNetworkId: null,
  connections: {},
}

let port: MessagePort | undefined
let heard: Envelope[]
let theme: Theme
let alerts: string[]
let modal: Modal
let loadNamespaces: Exclude<ModalOptions['loadNamespaces'], false | undefined>

/** The port is no instance of the environment's `MessagePort`. */
const isPort = (value: unknown): value is MessagePort =>
  typeof value === 'object' && value !== null && 'start' in value && 'close' in value

beforeEach(() => {
  loadNamespaces = () => new Promise(() => {})
  heard = []
  theme = {}
  alerts = []
  // The test plays the frame's page.
  vi.spyOn(HTMLIFrameElement.prototype, 'src', 'set').mockImplementation(() => {})
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(window)
  vi.spyOn(window, 'postMessage').mockImplementation((...given: readonly unknown[]) => {
    port = given.flat().find(isPort)
    port?.addEventListener('message', ({ data }) => heard.push(data))
    port?.start()
  })
  modal = createModal({
    window,
    origin,
    sdk: '0.0.0',
    dapp: { projectId: 'demo', networks: ['ethereum'] },
    state: createState({ read: () => null, write() {}, under: () => ({}) }, 'state'),
    emit() {},
    ownProvider: {},
    loadNamespaces: () => loadNamespaces(),
    randomId: () => crypto.randomUUID(),
    theme: { get: () => theme, colorScheme: () => 'light', mode: () => 'light' },
    stored: () => ({}),
    store() {},
    prefix: 'p',
    onPeerChanged() {},
    alert: { show: async ({ code }) => void alerts.push(code), close() {} },
  })
})
afterEach(() => {
  modal.destroy()
  port?.close()
  vi.restoreAllMocks()
})

function knocks(): void {
  window.dispatchEvent(new MessageEvent('message', { source: window, origin, data: knock }))
}
const welcomes = () => port?.postMessage({ kind: 'welcome', v: 1, host: '0.0.0' })
const asked = (method: string) =>
  vi.waitUntil(() => heard.find((each) => each.kind === 'request' && each.method === method), { timeout: 15_000 })

describe('while the host is starting', () => {
  test('a theme change on the page reaches the host', async () => {
    modal.load()
    knocks()
    welcomes()
    const { id } = await asked('init')
    theme = { mode: 'dark' }
    port?.postMessage({ v: 1, id, kind: 'result', result: told })
    expect(await asked('setTheme')).toMatchObject({ params: { theme: { mode: 'dark' }, colorScheme: 'light' } })
  })

  test('2. a frame that knocks while the page asks the gateway about it is not refused, even if the page itself is framed', async () => {
    vi.spyOn(window, 'top', 'get').mockReturnValue(null)
    const answers: ((response: Response) => void)[] = []
    const asking = vi.spyOn(window, 'fetch').mockImplementation(() => new Promise((resolve) => answers.push(resolve)))
    modal.load()
    document.querySelector('postern-frame')?.shadowRoot?.querySelector('iframe')?.dispatchEvent(new Event('load'))
    await expect.poll(() => asking).toHaveBeenCalled()
    knocks()
    answers[0]?.(new Response('{}'))
    await asking.mock.results[0]?.value
    welcomes()
    expect(await asked('init')).toMatchObject({ kind: 'request' })
  })
})

test('1. a page that is prerendered loads no frame before the user visits it', () => {
  const prerendering = { value: true, configurable: true }
  Object.defineProperty(document, 'prerendering', prerendering)
  modal.load()
  modal.load()
  expect(document.querySelectorAll('postern-frame')).toHaveLength(0)
  Object.defineProperty(document, 'prerendering', { ...prerendering, value: false })
  document.dispatchEvent(new Event('prerenderingchange'))
  expect(document.querySelectorAll('postern-frame')).toHaveLength(1)
  Reflect.deleteProperty(document, 'prerendering')
})

test('2. a page without what the frame needs gets an error for each call', async () => {
  vi.stubGlobal('MutationObserver', undefined)
  try {
    for (const _ of [1, 2]) await expect(modal.open()).rejects.toMatchObject({ code: 'LOAD_FAILED' })
    expect(alerts).toEqual(['LOAD_FAILED', 'LOAD_FAILED'])
  } finally {
    vi.unstubAllGlobals()
  }
})

test.each(['x', 7, {}])('connect names a signal of another type, %j, and opens nothing', async (signal) => {
  // @ts-expect-error: JavaScript can pass anything.
  const connecting = modal.connect({ signal })
  await expect(connecting).rejects.toMatchObject({
    name: 'PosternError',
    code: 'INVALID_PARAMS',
    message: 'Invalid method parameters: signal',
  })
  expect(document.querySelectorAll('postern-frame')).toHaveLength(0)
})

test('3. a page that keeps removing the element loses the frame each time, then gets an error', async () => {
  const elements = () => document.querySelectorAll('postern-frame').length
  for (const _ of [1, 2]) {
    const opening = modal.open()
    const failed = expect(opening).rejects.toMatchObject({ code: 'LOAD_FAILED' })
    for (let removals = 0; removals < 4 * 6; removals++) {
      await expect.poll(() => elements()).toBe(1)
      document.querySelector('postern-frame')?.remove()
    }
    await failed
    expect(elements()).toBe(0)
    expect(document.adoptedStyleSheets).toEqual([])
  }
})

const shownFrame = () => document.querySelector('postern-frame')?.shadowRoot
const isOutlined = () => shownFrame()?.querySelector('p')?.classList.contains('on')

/** Answers the newest `init`, then says that the modal is open. */
async function opens(): Promise<void> {
  const { id } = await asked('init')
  port?.postMessage({ v: 1, id, kind: 'result', result: told })
  await asked('open')
  port?.postMessage({ v: 1, id: 'e', kind: 'event', event: 'state', data: { ...told, seq: 2, open: true } })
}

test('getWallets returns what the host lists, and refuses a list that breaks its form', async () => {
  const answerWith = async (result: unknown) => {
    heard = []
    const listed = modal.getWallets()
    const { id } = await asked('getWallets')
    port?.postMessage({ v: 1, id, kind: 'result', result })
    return listed
  }
  modal.load()
  knocks()
  welcomes()
  const { id } = await asked('init')
  port?.postMessage({ v: 1, id, kind: 'result', result: told })
  const wallets = [{ id: 'io.example', name: 'Example', installed: true }]
  expect(await answerWith(wallets)).toEqual(wallets)
  await expect(answerWith([{ ...wallets[0], icon: 1 }])).rejects.toMatchObject({ code: 'INTERNAL' })
})

test('getProfile returns what the host knows, and refuses a picture that causes a request', async () => {
  const answerWith = async (result: unknown) => {
    heard = []
    const profile = modal.getProfile('0x1')
    const question = await asked('getProfile')
    expect(question).toMatchObject({ params: { address: '0x1' } })
    const { id } = question
    port?.postMessage({ v: 1, id, kind: 'result', result })
    return profile
  }
  modal.load()
  knocks()
  welcomes()
  const { id } = await asked('init')
  port?.postMessage({ v: 1, id, kind: 'result', result: told })
  expect(await answerWith({})).toEqual({})
  const profile = { name: 'ada.eth', avatar: 'data:image/png;base64,x' }
  expect(await answerWith(profile)).toEqual(profile)
  await expect(answerWith({ avatar: 'https://tracker.example/x.png' })).rejects.toMatchObject({ code: 'INTERNAL' })
})

test('2. a refused frame rejects pending requests, shows an alert, and the next use tries again', async () => {
  const opening = modal.open({})
  knocks()
  const error = { code: 'ORIGIN_NOT_ALLOWED', message: 'not allowed' }
  port?.postMessage({ kind: 'refused', error, origin: 'https://other.example' })
  await expect(opening).rejects.toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' })
  expect([alerts, shownFrame()]).toEqual([['ORIGIN_NOT_ALLOWED'], undefined])
  const again = modal.open({})
  expect(isOutlined()).toBe(true)
  modal.destroy()
  await expect(again).rejects.toMatchObject({ code: 'DESTROYED' })
})

test('3., 4. a frame that comes back gets the open request again, under an outline in the meantime', async () => {
  const opening = modal.open({})
  knocks()
  welcomes()
  await opens()
  await expect.poll(() => isOutlined()).toBe(false)
  const first = heard.find((each) => each.kind === 'request' && each.method === 'open')
  heard = []
  knocks()
  expect(isOutlined()).toBe(true)
  welcomes()
  await opens()
  await expect.poll(() => isOutlined()).toBe(false)
  expect(await asked('open')).toEqual(first)
  port?.postMessage({ v: 1, id: first?.id, kind: 'result', result: null })
  await opening
  expect(document.querySelectorAll('postern-frame')).toHaveLength(1)
})

test('3. an open modal that is lost with its frame opens again', async () => {
  const opening = modal.open({})
  knocks()
  welcomes()
  await opens()
  port?.postMessage({ v: 1, id: (await asked('open')).id, kind: 'result', result: null })
  await opening
  heard = []
  knocks()
  expect(isOutlined()).toBe(true)
  welcomes()
  await opens()
  await expect.poll(() => isOutlined()).toBe(false)
})

test('3. an approval that is lost with its frame does not open another view in its place', async () => {
  const opening = modal.open({})
  knocks()
  welcomes()
  await opens()
  port?.postMessage({ v: 1, id: (await asked('open')).id, kind: 'result', result: null })
  await opening
  const paying = modal.request('rpc', { namespace: 'eip155', method: 'eth_sendTransaction', params: [] })
  await asked('rpc')
  heard = []
  knocks()
  await expect(paying).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  expect(isOutlined()).toBe(false)
})

test('5. after destroy, rejects every request and leaves no frame', async () => {
  const opening = modal.open({})
  modal.destroy()
  await expect(opening).rejects.toMatchObject({ code: 'DESTROYED' })
  await expect(modal.open({})).rejects.toMatchObject({ code: 'DESTROYED' })
  expect(shownFrame()).toBeUndefined()
})

describe('6. the code for other namespaces', () => {
  const phantom: PageWallet = { id: 'p', namespace: 'solana', type: 'ANNOUNCED', name: 'Phantom' }
  const found = { list: () => [phantom], get: () => undefined }

  test('is loaded again on each opening until it succeeds, then the host gets the wallets', async () => {
    let tries = 0
    loadNamespaces = async () => {
      tries += 1
      if (tries < 3) throw new Error('offline')
      return found
    }
    const openings = [modal.open({}), modal.open({})]
    knocks()
    welcomes()
    const { id } = await asked('init')
    port?.postMessage({ v: 1, id, kind: 'result', result: told })
    await asked('open')
    expect(modal.wallets()).toEqual([])
    openings.push(modal.open({}), modal.open({}))
    await expect
      .poll(() => heard)
      .toContainEqual(expect.objectContaining({ event: 'pageWallets', data: { pageWallets: [phantom] } }))
    expect([tries, modal.wallets()]).toEqual([4, [phantom]])
    openings.push(modal.open({}))
    expect(tries).toBe(4)
    modal.destroy()
    await Promise.allSettled(openings)
  })
})

test('a wallet that appears without an event is listed with the next visit', async () => {
  modal.load()
  knocks()
  welcomes()
  const { id } = await asked('init')
  port?.postMessage({ v: 1, id, kind: 'result', result: told })
  Object.assign(window, { ethereum: { request: async () => null } })
  try {
    modal.open().catch(() => {})
    const data = { pageWallets: [expect.objectContaining({ name: 'Browser wallet' })] }
    await expect.poll(() => heard).toContainEqual(expect.objectContaining({ event: 'pageWallets', data }))
  } finally {
    Reflect.deleteProperty(window, 'ethereum')
  }
})
