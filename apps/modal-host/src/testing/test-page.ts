import { randomUUID } from 'node:crypto'
import { manualClock } from '@postern/base/testing/manual-clock'
import {
  defaultFeatures,
  Envelope,
  type ErrorCode,
  type HostMethod,
  HostState,
  hostMethods,
  type Init,
  isErrorCode,
  type LinkError,
  linkError,
  type PageParams,
  type PageWallet,
  type ProjectPage,
  pageMethods,
  Refusal,
  Welcome,
} from '@postern/protocol'
import type { WalletFrameDom } from '../connectors/embedded/wallet-frame/dom'
// Loaded before the tests: a host starts to load it at times, and a test may end before it has loaded.
import '../features/transaction/follow'
import { createHost, type HostDependencies } from '../host/create-host'
import { frameWindow } from './frame-window'
import { createWishes } from './wishes'

export const origin = 'http://demo.localhost:4500'

export const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const otherAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

export const metaMask: PageWallet = {
  id: 'w1',
  namespace: 'eip155',
  type: 'ANNOUNCED',
  name: 'MetaMask',
  rdns: 'io.metamask',
  icon: 'data:image/svg+xml,<svg/>',
}

export function project(changes: Partial<ProjectPage> = {}): ProjectPage {
  return {
    projectId: 'demo',
    name: 'Demo',
    allowedOrigins: [origin],
    defaultAncestors: false,
    // Tests count network requests.
    features: { ...defaultFeatures, analytics: false },
    networks: [],
    wallets: [],
    walletCount: 0,
    gatewayVersion: '1.2.3',
    walletConnect: null,
    wallet: null,
    money: { swapChainIds: [], onramp: false, nameSuffix: null },
    ...changes,
  }
}

export function init(changes: Partial<Init> = {}): Init {
  return {
    projectId: 'demo',
    networks: ['ethereum', 'base'],
    colorScheme: 'light',
    pageWallets: [metaMask],
    stored: {},
    ...changes,
  }
}

/** Like the SDK: only our own errors have a code; others keep their number, or -32603. */
export function fromPage(thrown: unknown): LinkError {
  const read = (key: string): unknown =>
    typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined
  const [code, message, data] = [read('code'), read('message'), read('data')]
  const more = {
    ...(typeof message === 'string' && message !== '' && { message }),
    ...(data !== undefined && { data }),
  }
  if (isErrorCode(code)) return linkError(code, more)
  const rpc = typeof code === 'number' ? code : -32603
  return { ...linkError(codesOfPage.get(rpc) ?? 'INTERNAL', more), rpc }
}

const codesOfPage: ReadonlyMap<number, ErrorCode> = new Map([
  [4001, 'USER_REJECTED'],
  [4100, 'UNAUTHORIZED'],
  [4200, 'UNSUPPORTED_METHOD'],
  [4900, 'DISCONNECTED'],
  [4901, 'CHAIN_DISCONNECTED'],
  [4902, 'CHAIN_NOT_ADDED'],
  [-32002, 'REQUEST_PENDING'],
  [-32005, 'LIMIT_EXCEEDED'],
  [-32600, 'INVALID_REQUEST'],
  [-32601, 'METHOD_NOT_FOUND'],
  [-32602, 'INVALID_PARAMS'],
])

export type WalletAnswer = (request: PageParams<'walletRequest'>) => unknown

export function wallet(state: { accounts?: string[]; chainId?: string; knows?: string[] } = {}): WalletAnswer & {
  readonly asked: string[]
} {
  const accounts = state.accounts ?? [account]
  const knows = new Set(state.knows ?? ['0x1', '0x2105'])
  let chainId = state.chainId ?? '0x1'
  const asked: string[] = []
  const answer: WalletAnswer = ({ method, params = [] }) => {
    asked.push(method)
    const [first] = params
    const wanted = typeof first === 'object' && first !== null && 'chainId' in first ? String(first.chainId) : ''
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return accounts
      case 'eth_chainId':
        return chainId
      case 'wallet_addEthereumChain':
        knows.add(wanted)
        return null
      case 'wallet_switchEthereumChain':
        if (!knows.has(wanted)) throw linkError('CHAIN_NOT_ADDED')
        chainId = wanted
        return null
      case 'personal_sign':
        return '0xsigned'
      default:
        return null
    }
  }
  return Object.assign(answer, { asked })
}

type Sent = { readonly id: string; readonly answered: Promise<unknown> }

/** A dapp's page with a real MessageChannel and a wallet; the host under test is the shipped one. */
export function testPage(
  options: {
    project?: ProjectPage | null
    answerWallet?: WalletAnswer
    fetch?: typeof fetch
    frameStorage?: () => Storage
    isTopLevel?: boolean
    isMobile?: boolean
    createWalletConnect?: HostDependencies['createWalletConnect']
    walletFrameDom?: WalletFrameDom
    clickPowers?: Partial<HostDependencies['clickPowers']>
  } = {},
) {
  const frame = frameWindow(options)
  const clock = manualClock()
  const kept = new Map<string, string>()
  const warnings: string[] = []
  const states: HostState[] = []
  const events: string[] = []
  const greetings: (Welcome | Refusal)[] = []
  const cancelled: string[] = []
  const opened: PageParams<'openLink'>[] = []
  const waiting = new Map<string, { resolve(value: unknown): void; reject(error: LinkError): void }>()
  const returns = new Set<() => void>()
  const { until, look } = createWishes()
  let answerWallet = options.answerWallet ?? wallet()

  const host = createHost({
    window: frame.window,
    project: options.project === undefined ? project() : options.project,
    baseUrl: 'http://modal.postern.localhost:4400',
    fetch: options.fetch ?? (() => Promise.reject(new TypeError('offline'))),
    clock,
    randomId: () => randomUUID(),
    frameStorage:
      options.frameStorage ??
      (() => {
        throw new Error('denied')
      }),
    isMobile: options.isMobile ?? false,
    createWalletConnect:
      options.createWalletConnect ?? (() => Promise.reject(new Error('No WalletConnect in this test'))),
    warn: (text) => void warnings.push(text),
    onPageReturn(listener) {
      returns.add(listener)
      return () => returns.delete(listener)
    },
    clickPowers: {
      openPopup: () => null,
      requestStorageAccess: () => Promise.reject(new Error('No storage access in this test')),
      ...options.clickPowers,
    },
    walletFrameDom: async () => {
      if (options.walletFrameDom === undefined) throw new Error('No embedded wallet in this test')
      return options.walletFrameDom
    },
    themeMode: 'light',
    locale: 'en',
    check: (method, result) => void hostMethods[method].result.parse(result),
  })
  const stop = host.start()
  host.store.subscribe(() => look())

  const { port1: port, port2: theirs } = new MessageChannel()
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data))
  port.start()

  function onMessage(data: unknown): void {
    const greeting = Welcome.safeParse(data).data ?? Refusal.safeParse(data).data
    if (greeting) greetings.push(greeting)
    else onEnvelope(Envelope.parse(data))
    look()
  }

  function onEnvelope(message: Envelope): void {
    if (message.kind === 'result') waiting.get(message.id)?.resolve(message.result ?? null)
    if (message.kind === 'error') waiting.get(message.id)?.reject(message.error)
    if (message.kind === 'cancel') cancelled.push(message.id)
    if (message.kind === 'request') void serve(message)
    if (message.kind !== 'event') return
    events.push(message.event)
    if (message.event === 'state') states.push(HostState.parse(message.data))
  }

  async function serve({ id, method, params }: Extract<Envelope, { kind: 'request' }>): Promise<void> {
    try {
      const result = await answer(method, params)
      post({ v: 1, id, kind: 'result', result })
    } catch (thrown) {
      post({ v: 1, id, kind: 'error', error: fromPage(thrown) })
    }
  }

  function answer(method: string, params: unknown): unknown {
    if (method === 'store') return keep(pageMethods.store.params.parse(params))
    if (method !== 'openLink') return askWallet(params)
    opened.push(pageMethods.openLink.params.parse(params))
    return null
  }

  function askWallet(params: unknown): unknown {
    return answerWallet(pageMethods.walletRequest.params.parse(params))
  }

  function keep({ key, value }: PageParams<'store'>): null {
    if (value === null) kept.delete(key)
    else kept.set(key, value)
    return null
  }

  function post(message: unknown): void {
    port.postMessage(message)
  }

  function send(method: HostMethod | (string & {}), params: unknown = null, id: string = randomUUID()): Sent {
    const answered = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
    answered.catch(() => {})
    post({ v: 1, id, kind: 'request', method, params })
    return { id, answered }
  }

  return {
    host,
    frame,
    clock,
    kept,
    warnings,
    states,
    events,
    greetings,
    cancelled,
    opened,
    stop,
    port,
    theirs,
    post,
    send,
    request: (method: HostMethod | (string & {}), params?: unknown) => send(method, params).answered,
    emit: (event: string, data: unknown = null) => post({ v: 1, id: randomUUID(), kind: 'event', event, data }),
    /** The user returns to the page, or the device is online again. */
    comeBack() {
      for (const listener of [...returns]) listener()
    },
    setWallet(next: WalletAnswer) {
      answerWallet = next
    },
    hello(data: unknown = { type: 'postern:hello', v: 1, min: 1, sdk: '9.9.9' }, from = origin) {
      frame.receive({ data, origin: from, ports: [theirs] })
    },
    /** Checks after each message and each snapshot change. */
    until,
    close() {
      stop()
      port.close()
    },
  }
}

export type TestPage = ReturnType<typeof testPage>

/** `init` has been answered. */
export async function readyPage(
  options: Parameters<typeof testPage>[0] & { init?: Partial<Init> } = {},
): Promise<TestPage> {
  const page = testPage(options)
  page.hello()
  await page.request('init', init(options.init))
  return page
}

export function memoryStorage(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    clear: () => values.clear(),
    getItem: (key) => values.get(key) ?? null,
    key: (at) => [...values.keys()][at] ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => void values.set(key, value),
  }
}
