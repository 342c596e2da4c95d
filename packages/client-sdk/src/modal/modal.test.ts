// @vitest-environment happy-dom
import type { Envelope, HostState, PageWallet } from '@postern/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { knock } from '../link/handshake'
import { createState } from '../state'
import type { Theme } from '../types'
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
let modal: Modal
let others: Exclude<ModalOptions['others'], false | undefined>

/** The port is no instance of the environment's `MessagePort`. */
const isPort = (value: unknown): value is MessagePort =>
  typeof value === 'object' && value !== null && 'start' in value && 'close' in value

beforeEach(() => {
  others = () => new Promise(() => {})
  heard = []
  theme = {}
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
    announced: { found: [], stop() {} },
    own: {},
    others: () => others(),
    randomId: () => crypto.randomUUID(),
    theme: () => theme,
    colorScheme: () => 'light',
    themeMode: () => 'light',
    stored: () => ({}),
    store() {},
    prefix: 'p',
    onPeerChanged() {},
    onFailed() {},
    onRetried() {},
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
  vi.waitFor(() => {
    const request = heard.find((each) => each.kind === 'request' && each.method === method)
    if (request === undefined) throw new Error(`${method} was not asked`)
    return request
  })

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
    await vi.waitFor(() => expect(asking).toHaveBeenCalled())
    knocks()
    answers[0]?.(new Response('{}'))
    await asking.mock.results[0]?.value
    welcomes()
    expect(await asked('init')).toMatchObject({ kind: 'request' })
  })
})

describe('6. the code for other namespaces', () => {
  const phantom: PageWallet = { id: 'p', namespace: 'solana', type: 'ANNOUNCED', name: 'Phantom' }
  const found = { list: () => [phantom], get: () => undefined }

  test('is loaded again on each opening until it succeeds, then the host gets the wallets', async () => {
    let tries = 0
    others = async () => {
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
    await vi.waitFor(() =>
      expect(heard).toContainEqual(expect.objectContaining({ event: 'pageWallets', data: { pageWallets: [phantom] } })),
    )
    expect([tries, modal.wallets()]).toEqual([4, [phantom]])
    openings.push(modal.open({}))
    expect(tries).toBe(4)
    modal.destroy()
    await Promise.allSettled(openings)
  })
})
