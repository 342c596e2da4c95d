// @vitest-environment happy-dom
// @vitest-environment-options {"settings": {"disableIframePageLoading": true}}
/** The SDK's modal, as it ships, against a frame that sends what it likes. */
import {
  Envelope,
  type HostMethod,
  type HostState,
  hostEvents,
  hostMethods,
  type PageMethod,
  pageMethods,
  tryParse,
} from '@postern/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, vi } from 'vitest'
import { knock } from '../../packages/client-sdk/src/link/handshake'
import { createModal } from '../../packages/client-sdk/src/modal/modal'
import { isPosternError } from '../../packages/client-sdk/src/shared/errors'
import { isConnection } from '../../packages/client-sdk/src/state/guards'
import { createState } from '../../packages/client-sdk/src/state/state'
import { anything, fitting } from './engine/from-schema'
import { type Moves, move, patienceMs, type Step, Violation, within } from './engine/fuzz'
import { count, field, text } from './engine/read'
import { runTarget } from './engine/run-target'

const origin = 'https://modal.example'
const hostMethodNames = Object.keys(hostMethods).filter((name): name is HostMethod => Object.hasOwn(hostMethods, name))
const pageMethodNames = Object.keys(pageMethods).filter((name): name is PageMethod => Object.hasOwn(pageMethods, name))
const of = (move: string, data: fc.Arbitrary<unknown>): fc.Arbitrary<Step> =>
  fc.record({ move: fc.constant(move), data })

const firstState: HostState = {
  seq: 0,
  open: false,
  themeMode: 'light',
  networks: [],
  activeNetworkId: null,
  connections: {},
}
const connectedState: HostState = {
  ...firstState,
  connections: {
    eip155: {
      status: 'connected',
      connector: { id: 'auth', name: 'Email', type: 'AUTH' },
      accounts: [{ namespace: 'eip155', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', type: 'eoa' }],
      networkId: 'eip155:1',
    },
  },
}

const steps = fc.oneof(
  { weight: 2, arbitrary: of('event', fc.constant({ event: 'state', data: connectedState })) },
  { weight: 5, arbitrary: of('answer', fc.oneof(...hostMethodNames.map((name) => fitting(hostMethods[name].result)))) },
  { weight: 2, arbitrary: of('fail', fitting(Envelope)) },
  {
    weight: 6,
    arbitrary: of(
      'event',
      fc.oneof(
        ...Object.entries(hostEvents).map(([event, schema]) =>
          fc.record({ event: fc.constant(event), data: fitting(schema) }),
        ),
      ),
    ),
  },
  {
    weight: 6,
    arbitrary: of(
      'request',
      fc.oneof(
        ...pageMethodNames.map((method) =>
          fc.record({ method: fc.constant(method), params: fitting(pageMethods[method].params) }),
        ),
      ),
    ),
  },
  { weight: 3, arbitrary: of('envelope', fitting(Envelope)) },
  { weight: 2, arbitrary: of('raw', anything) },
  { weight: 3, arbitrary: of('dapp', fc.nat(9)) },
  { weight: 1, arbitrary: of('knock', fc.nat(3)) },
  { weight: 1, arbitrary: of('greet', anything) },
  {
    weight: 1,
    arbitrary: of('window', fc.record({ data: anything, origin: fc.constantFrom(origin, 'https://evil.example') })),
  },
)

let port: MessagePort | undefined
let opened: string[] = []

/** The port is no instance of the environment's `MessagePort`. */
const isPort = (value: unknown): value is MessagePort =>
  typeof value === 'object' && value !== null && 'start' in value && 'close' in value

beforeAll(() => {
  // The test plays the frame's page: the environment makes no window for it, and says that it failed to load.
  const { dispatchEvent } = HTMLIFrameElement.prototype
  vi.spyOn(HTMLIFrameElement.prototype, 'dispatchEvent').mockImplementation(function (
    this: HTMLIFrameElement,
    event: Event,
  ) {
    if (event.type !== 'error') return dispatchEvent.call(this, event)
    queueMicrotask(() => dispatchEvent.call(this, new Event('load')))
    return true
  })
  vi.spyOn(HTMLIFrameElement.prototype, 'src', 'set').mockImplementation(() => {})
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(window)
  // The environment does not know every flag of a sandbox.
  if (document.defaultView !== null) vi.spyOn(document.defaultView.console, 'error').mockImplementation(() => {})
  vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('offline'))
  vi.spyOn(window, 'postMessage').mockImplementation((...given: readonly unknown[]) => {
    port?.close()
    port = given.flat().find(isPort)
  })
  vi.spyOn(window, 'open').mockImplementation((url) => {
    opened.push(String(url))
    return null
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    opened.push(this.href)
  })
})
afterAll(() => {
  vi.restoreAllMocks()
})

const reached = { ready: 0, connected: 0, served: 0 }

/**
 * 1. Every request of the dapp settles once; in the end all have, a failure with a code.
 * 2. Every request of the host that is an envelope has one answer that fits the protocol, and no more.
 * 3. What the page believes of a connection always fits the protocol.
 * 4. No address that runs code in the page is opened.
 * 5. After `destroy` nothing of the modal is left in the document.
 */
async function play(given: readonly Step[]): Promise<void> {
  opened = []
  hangUp()
  const page = startPage()
  try {
    page.modal.load()
    if (given[0]?.move !== 'greet') await page.start()
    for (const step of given) {
      if (waitsForPage.has(step.move)) await turn()
      page.take(step)
    }
    await page.settled()
  } finally {
    page.modal.destroy()
    hangUp()
    // The spies remember the ports and frames of each call.
    vi.clearAllMocks()
  }
  await page.ended()
  if (document.querySelector('postern-frame') !== null) throw new Violation('The frame is left in the document')
  const unsafe = opened.find((url) => /^(javascript|data|blob|file|vbscript):/i.test(url.trim()))
  if (unsafe !== undefined) throw new Violation(`The page opened ${unsafe}`)
}

/** They answer what the page has asked by then. */
const waitsForPage: ReadonlySet<string> = new Set(['answer', 'fail', 'knock', 'greet'])
const turn = () => new Promise((resolve) => setImmediate(resolve))

function hangUp(): void {
  port?.close()
  port = undefined
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn()
}

function startPage() {
  const state = createState({ read: () => null, write() {}, under: () => ({}) }, 'state')
  const faults: string[] = []
  const asked: string[] = []
  const served = new Map<string, { times: number; answers: number }>()
  const dappCalls: Promise<unknown>[] = []
  let ids = 0
  let seq = 0
  /** Whether the frame answers `init` as an honest host does. */
  let isHonest = true
  const modal = createModal({
    window,
    origin,
    sdk: '0.0.0',
    dapp: { projectId: 'demo', networks: ['ethereum'] },
    state,
    emit() {},
    ownProvider: {},
    loadNamespaces: false,
    randomId: () => `p${ids++}`,
    theme: { get: () => ({}), colorScheme: () => 'light', mode: () => 'light' },
    stored: () => ({}),
    store() {},
    prefix: 'p',
    onPeerChanged() {},
    alert: { async show() {}, close() {} },
  })

  function onMessage(data: unknown): void {
    const message = Envelope.safeParse(data)
    if (!message.success) return void faults.push('The page sent no envelope')
    const { kind, id } = message.data
    if (kind === 'request') asked.push(id)
    if (kind === 'request' && message.data.method === 'init' && isHonest)
      post({ v: 1, id, kind: 'result', result: firstState })
    if (kind !== 'result' && kind !== 'error') return
    const request = served.get(id)
    if (request === undefined) return void faults.push(`An answer to no request: ${id}`)
    request.answers += 1
    if (request.answers > request.times) faults.push(`${id} has ${request.answers} answers`)
  }

  function post(message: unknown): void {
    const envelope = tryParse(Envelope, message)
    try {
      port?.postMessage(message)
    } catch {
      // No port carries it.
      return
    }
    if (!envelope.success || envelope.data.kind !== 'request') return
    const { id } = envelope.data
    const known = served.get(id)
    if (known === undefined) served.set(id, { times: 1, answers: 0 })
    else known.times += 1
  }

  function hear(): void {
    port?.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data))
    port?.start()
  }

  function dapp(what: unknown): void {
    const controller = new AbortController()
    const calls: (() => Promise<unknown>)[] = [
      () => modal.open({}),
      () => modal.connect({ signal: controller.signal }),
      () => modal.rpc({ namespace: 'eip155', method: 'personal_sign', params: [], networkId: undefined }),
      () => modal.rpc({ namespace: 'eip155', method: 'eth_chainId', params: [], networkId: undefined }),
      () => modal.request('disconnect', {}),
      () => modal.pay({ networkId: 'eip155:1', amount: '1', recipient: '0x1' }),
      async () => modal.dismiss(),
      async () => modal.sendWallets(),
      () => modal.request('switchNetwork', { network: 'base' }),
    ]
    const call = calls[count(what) % calls.length]
    if (call === undefined) return
    const settled = call()
    settled.catch(() => {})
    dappCalls.push(settled)
    if (count(what) > 8) controller.abort()
  }

  const lastAsked = () => asked.at(-1) ?? 'none'
  function greet(greeting: unknown): void {
    knocks()
    hear()
    post(greeting)
  }

  const moves: Moves = {
    answer: (data) => post({ v: 1, id: lastAsked(), kind: 'result', result: data }),
    fail: (data) =>
      post({ v: 1, id: lastAsked(), kind: 'error', error: field(data, 'error') ?? { code: 'INTERNAL', message: '' } }),
    event(data) {
      const told = field(data, 'data')
      // The page ignores older states.
      const state = Number.isSafeInteger(field(told, 'seq')) ? { ...Object(told), seq: seq++ } : told
      post({ v: 1, id: `h${served.size}`, kind: 'event', event: field(data, 'event'), data: state })
    },
    request: (data) =>
      post({
        v: 1,
        id: `h${served.size}`,
        kind: 'request',
        method: field(data, 'method'),
        params: field(data, 'params'),
      }),
    envelope: post,
    raw: post,
    dapp,
    knock: () => greet({ kind: 'welcome', v: 1, host: '0' }),
    greet(data) {
      isHonest = false
      greet(data)
    },
    window(data) {
      window.dispatchEvent(
        new MessageEvent('message', { source: null, origin: text(field(data, 'origin')), data: field(data, 'data') }),
      )
    },
  }
  const take = (step: Step) => move(moves, step)

  function knocks(): void {
    window.dispatchEvent(new MessageEvent('message', { source: window, origin, data: knock }))
  }

  function check(): void {
    for (const connection of Object.values(state.get().connections))
      if (!isConnection(connection)) faults.push('A connection does not fit')
    if (faults.length > 0) throw new Violation(faults.join('; '))
  }

  return {
    modal,
    take,
    hear,
    /** As an honest host does. */
    async start() {
      take({ move: 'knock', data: 0 })
      await within(
        until(() => asked.length > 0),
        patienceMs,
        'The page does not begin',
      )
    },
    async settled() {
      for (const _ of Array(3)) await turn()
      const { phase, connections } = state.get()
      if (phase === 'ready') reached.ready += 1
      if (connections.eip155?.status === 'connected') reached.connected += 1
      if ([...served.values()].some(({ answers }) => answers > 0)) reached.served += 1
      check()
    },
    /** 1 */
    async ended() {
      const ends = await within(Promise.allSettled(dappCalls), patienceMs, 'A call of the dapp does not settle')
      for (const end of ends)
        if (end.status === 'rejected' && !isPosternError(end.reason))
          throw new Violation(`A call of the dapp failed with ${String(end.reason)}`)
      check()
    },
  }
}

runTarget({
  name: 'page-link-page',
  messages: 20_000,
  covers: ['/packages/client-sdk/src/'],
  steps,
  play,
  reached: () => reached,
})
