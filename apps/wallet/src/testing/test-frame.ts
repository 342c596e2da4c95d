/** A whole frame on a real port, with an in-memory gateway and the worker's code, in one thread. */

import type { Clock } from '@postern/base/clock'
import { manualClock } from '@postern/base/testing/manual-clock'
import {
  parseWalletFrameNotice,
  parseWalletFrameReply,
  type WalletApiCall,
  type WalletFrameNotice,
  type WalletFramePage,
  type WalletFramePayload,
  type WalletFrameRequestName,
  type WalletFrameSuccess,
  walletFrameRequest,
} from '@postern/protocol'
import { onTestFinished } from 'vitest'
import type { DrawnCode } from '../approval/code/code-card'
import type { DrawnApproval } from '../approval/drawing'
import { createDappOrigin } from '../frame/ancestors/origin'
import { solveChallenge } from '../frame/challenge/challenge'
import { type FrameOptions, startFrame } from '../frame/frame'
import type { Intent } from '../intent/intent'
import { signingWorker } from '../keys/signing-worker'
import { randomSecret } from '../random'
import { createLadder, databaseName, type StorageAccess } from '../storage/ladder'
import { indexedDbRows } from '../storage/rows'
import { createWalletStore } from '../storage/store'
import { createTabs } from '../storage/tabs'
import { type FakeGateway, fakeGateway } from './fake-gateway'
import { FakeIndexedDb } from './fake-indexed-db'
import { testChain } from './test-chain'
import { testScreen } from './test-screen'

const dappOrigin = 'https://app.example'
export const walletOrigin = 'https://wallet.test'
const mainnet = 'eip155:1'

export const testPage: WalletFramePage = {
  projectId: 'demo',
  projectName: 'Demo',
  modalOrigin: 'https://modal.test',
  allowedOrigins: [dappOrigin],
  defaultAncestors: false,
  approvals: { place: 'auto', trustedOrigins: [] },
  networks: [],
  smartAccounts: [{ chainId: 8453, paymaster: false }],
  socials: ['google'],
  farcaster: true,
  email: true,
  recovery: 'any',
  recoveryChoice: 'later',
}

/** A sign-in for the page's own domain, which the frame may approve. */
export const testIntent: Intent = {
  steps: [{ kind: 'signIn', domain: 'app.example', account: '0x00000000000000000000000000000000000000Aa', fields: [] }],
  warnings: [],
  fee: null,
  changes: { kind: 'unknown' },
  raw: [],
}

export type TestWindow = FrameOptions['window'] & { post(event: Partial<MessageEvent<unknown>>): void }

function testWindow(): TestWindow {
  const target = new EventTarget()
  return {
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    post({ data, origin = '', source = null, ports = [] }) {
      target.dispatchEvent(Object.assign(new Event('message'), { data, origin, source, ports }))
    },
  }
}

type CodeRequest = 'CONNECT_OTP' | 'SOCIAL_CODE'

const codePayloads: { readonly [N in CodeRequest]: WalletFramePayload<N> } = {
  CONNECT_OTP: undefined,
  SOCIAL_CODE: undefined,
}

/** Until then the card has no choice but to decline. */
function isPlaced(shown: DrawnApproval | null): shown is DrawnApproval {
  return shown !== null && shown.intent !== null
}

export type TestFrameOptions = {
  readonly gateway?: FakeGateway
  /** Frames that share one are tabs. Null: denied. */
  readonly storage?: IDBFactory | null
  readonly storageAccess?: StorageAccess
  readonly page?: Partial<WalletFramePage>
  /** Tabs with the same channel hear each other at once. */
  readonly channel?: string
  readonly origin?: 'unknown'
  /** Origin of the page around the modal. */
  readonly dapp?: string
  /** Default: a chain that signs anything, and {@link testIntent}. */
  readonly chains?: Pick<FrameOptions, 'loadChain' | 'loadDescribe'>
  /** Registers the clean-up. Default: at the end of the running test. */
  readonly onFinished?: (end: () => void) => void
}

const denied: StorageAccess = {
  isGranted: async () => false,
  request: async () => {
    throw new Error('denied')
  },
}

export function testLadder(storage: IDBFactory | null, storageAccess = denied, clock: Clock = manualClock()) {
  return createLadder({
    projectId: testPage.projectId,
    randomSecret,
    crypto,
    clock,
    storageAccess,
    indexedDB() {
      if (storage === null) throw new DOMException('denied', 'SecurityError')
      return storage
    },
  })
}

export function newStorage(): IDBFactory {
  return new FakeIndexedDb()
}

/** The store of a frame in `storage`. */
export function storeIn(storage: IDBFactory) {
  return createWalletStore(indexedDbRows(storage, databaseName(testPage.projectId)), randomSecret)
}

export const storedShare = (storage: IDBFactory, userId: string) => storeIn(storage).share(userId)

export function testFrame(options: TestFrameOptions = {}) {
  const { gateway = fakeGateway(), storage = newStorage(), storageAccess = denied } = options
  const { onFinished = onTestFinished } = options
  const clock = manualClock()
  const page = { ...testPage, ...options.page }
  const { port1: modal, port2: port } = new MessageChannel()
  const window = testWindow()
  const { chain, seen, contexts, failures } = testChain()
  const notices: WalletFrameNotice[] = []
  const waiting = new Set<() => void>()
  const replies = new Map<string, unknown>()
  const { screen, popups, ...browser } = testScreen()
  const counted = { signers: 0, ended: 0, reloads: 0, reports: [] as string[] }
  let nextId = 1

  screen.onDraw = () => {
    for (const check of [...waiting]) check()
  }
  modal.onmessage = ({ data }) => {
    const notice = parseWalletFrameNotice(data)
    if (notice !== null) notices.push(notice)
    if (typeof data?.id === 'string') replies.set(data.id, data)
    for (const check of [...waiting]) check()
  }
  const end = startFrame(port, {
    page,
    clock,
    window,
    randomSecret,
    networkId: mainnet,
    version: 'test',
    ownOrigin: walletOrigin,
    fetch: gateway.fetch,
    origin: createDappOrigin(options.origin === 'unknown' ? 'unknown' : { around: [options.dapp ?? dappOrigin] }, page),
    ladder: testLadder(storage, storageAccess, clock),
    tabs: createTabs({
      name: `${options.channel ?? 'test'}/${page.projectId}`,
      locks: undefined,
      openChannel: (name) => {
        const channel = new BroadcastChannel(name)
        onFinished(() => channel.close())
        return channel
      },
    }),
    deviceName: () => 'Chrome on Linux',
    solveChallenge: async (challenge) => solveChallenge(challenge),
    async startSigner() {
      counted.signers += 1
      return {
        worker: signingWorker(),
        end: () => {
          counted.ended += 1
        },
      }
    },
    loadChain: async () => chain,
    loadSmartAccounts: async () => ({
      address: async () => '0x00000000000000000000000000000000000000Aa',
      isDeployed: async () => false,
    }),
    loadBitcoinAddress: async () => (_, networkId) => `bc1q-${networkId}`,
    loadDescribe: async () => async (_request, _context, onIntent) => {
      onIntent(testIntent)
    },
    ...browser,
    ...options.chains,
    loadWorth: () => import('../approval/place/worth'),
    textSize: { isTooSmall: () => false, subscribe: () => () => {} },
    reload: () => {
      counted.reloads += 1
    },
    report: (kind) => counted.reports.push(kind),
  })
  onFinished(() => {
    end()
    modal.close()
  })

  function when<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = () => {
        const found = find()
        if (found === undefined) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  }

  function send<N extends WalletFrameRequestName>(name: N, payload: WalletFramePayload<N>, id = `r${nextId++}`) {
    modal.postMessage(walletFrameRequest(id, name, payload))
    return { id, reply: when(() => replies.get(id)).then((data) => parseWalletFrameReply(name, data)) }
  }

  async function ask<N extends WalletFrameRequestName>(
    name: N,
    payload: WalletFramePayload<N>,
  ): Promise<WalletFrameSuccess<N>> {
    const reply = await send(name, payload).reply
    if (reply === null) throw new Error(`The reply to ${name} does not parse`)
    if (!reply.ok) throw Object.assign(new Error(reply.message), { code: reply.code })
    return reply.payload
  }

  /** Shows the request in the frame and presses Approve. */
  async function approve(id: string): Promise<void> {
    await ask('SHOW_APPROVAL', { id })
    if (screen.shown?.request.id !== id) throw new Error('The frame does not show the request')
    const { request } = await when(() => (isPlaced(screen.shown) ? screen.shown : undefined))
    screen.handlers?.onApprove(request)
  }

  /** Types the code in the frame's field; null presses the button alone. */
  async function sendCode<N extends CodeRequest>(name: N, code: string | null) {
    const sent = send(name, codePayloads[name])
    const drawn = when(() => (screen.code?.id === sent.id ? screen.code : undefined))
    await Promise.race([drawn.then(({ onSubmit }) => onSubmit(code)), sent.reply])
    return sent
  }

  /** Types the code. If it is refused, aborts the request and rejects with the field's error. */
  async function typeCode<N extends CodeRequest>(name: N, code: string | null): Promise<WalletFrameSuccess<N>> {
    const { id, reply } = await sendCode(name, code)
    const refused = when(() => (screen.code?.id === id ? (screen.code.failure ?? undefined) : undefined))
    const ended = await Promise.race([reply, refused])
    if (ended === null) throw new Error(`The reply to ${name} does not parse`)
    if ('ok' in ended && ended.ok) return ended.payload
    await ask('RPC_ABORT', { id })
    throw Object.assign(new Error(ended.message), { code: ended.code })
  }

  return {
    screen,
    popups,
    approve,
    sendCode,
    typeCode,
    gateway,
    clock,
    modal,
    window,
    seen,
    contexts,
    failures,
    notices,
    counted,
    storage,
    send,
    ask,
    end,
    when,
    advance: clock.advance,
    answered: (id: string) => when(() => replies.get(id)),
    called: (name: WalletApiCall) => gateway.called(name),
    notice: <M extends WalletFrameNotice['name']>(name: M) =>
      when(() => {
        const found = notices.find((notice): notice is Extract<WalletFrameNotice, { name: M }> => notice.name === name)
        if (found !== undefined) notices.splice(notices.indexOf(found), 1)
        return found
      }),
    /** Signs in, on a new device through the emailed link. */
    async signIn(email = 'alice@example.com') {
      const { action } = await ask('CONNECT_EMAIL', { email })
      if (action === 'CONNECT') return
      if (action === 'VERIFY_DEVICE') {
        const approved = ask('CONNECT_DEVICE', undefined)
        gateway.approve(email)
        await approved
      }
      await typeCode('CONNECT_OTP', gateway.codeFor(email))
    },
  }
}

/** Requests the removal of the device and presses Remove in the frame. */
export async function removeDevice(frame: ReturnType<typeof testFrame>, device: string): Promise<void> {
  await press(frame, frame.send('REVOKE_DEVICE', { id: device }))
}

/** Requests the removal of an ended wallet's share and presses Remove in the frame. Returns the purpose that it showed. */
export async function forgetEnded(frame: ReturnType<typeof testFrame>): Promise<DrawnCode['purpose'] | undefined> {
  return press(frame, frame.send('FORGET_ENDED_WALLET', undefined))
}

type Sent = {
  readonly id: string
  readonly reply: Promise<{ readonly ok: boolean; readonly message?: string; readonly code?: string } | null>
}

async function press({ screen, when }: ReturnType<typeof testFrame>, { id, reply }: Sent) {
  const drawn = when(() => (screen.code?.id === id ? screen.code : undefined))
  const purpose = await Promise.race([
    drawn.then(({ onSubmit, purpose }) => {
      onSubmit(null)
      return purpose
    }),
    reply.then(() => undefined),
  ])
  const answer = await reply
  if (!answer?.ok) throw Object.assign(new Error(answer?.message), { code: answer?.code })
  return purpose
}
