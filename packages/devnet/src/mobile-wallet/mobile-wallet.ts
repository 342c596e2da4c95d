import { bitcoinAccount } from '../bitcoin/accounts'
import { solanaAccount } from '../solana/accounts'
import { createConnectQuestions } from './connect-questions'
import type { MobileNetwork, MobileSession, MobileWalletSnapshot, Received } from './contract'
import { eip155Account } from './eip155'
import { namespaceOf } from './grants'
import { startKit } from './kit'
import type { NetworkTaskContext } from './network-tasks'
import { createQuestions } from './questions'
import { refusals } from './refusals'
import { createRequestQuestions } from './request-questions'
import { sessionsOf, tellAccount, tellNetwork } from './sessions'
import { initialState, type MobileState, readState, writeState } from './state'
import { memoryStore, type TextStore } from './storage'

export type MobileWallet = {
  snapshot(): MobileWalletSnapshot
  /** Called after each change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** Takes the URI of a QR code, a link or the clipboard. */
  pair(uri: string): Promise<void>
  /** Default: the oldest. Resolves once the relay has the response. */
  approve(id?: number): Promise<void>
  reject(id?: number): Promise<void>
  sessions(): readonly MobileSession[]
  disconnect(topic?: string): Promise<void>
  /** 0 to 9. Notifies every session. */
  switchAccount(index: number): Promise<void>
  /** Adds the network to sessions that lack it. */
  switchNetwork(id: string): Promise<void>
  /** Networks or namespaces for the next approval. */
  grant(ids: readonly string[]): void
  setAutoApprove(autoApprove: boolean): void
  /** If false, the wallet responds to the plain proposal. */
  setSignsIn(signsIn: boolean): void
  /** Sessions stay. */
  end(): Promise<void>
}

/**
 * WalletKit with real keys of the devnet's mnemonic. Works in a page and in Node.
 *
 * 1. Nothing is granted or signed until the owner approves or turns on automatic approval. A rejection is 5000.
 * 2. A request that cannot be done is rejected with its reason before the owner is asked.
 * 3. A question disappears when it is answered, when it expires, and when its session ends.
 * 4. Account, networks and sessions are stored in `store`. Unanswered questions return after a restart.
 * 5. The wallet contacts only the relay and the nodes of its networks.
 *
 * @example
 * const wallet = await createMobileWallet({ relayUrl: 'ws://127.0.0.1:8550' })
 * await wallet.pair('wc:…')
 */
export async function createMobileWallet({
  relayUrl,
  projectId = 'devnet',
  store = memoryStore(),
  account,
  networks,
  url = 'http://mobile-wallet.localhost:8551/',
  fetch = globalThis.fetch.bind(globalThis),
}: {
  readonly relayUrl: string
  readonly projectId?: string
  readonly store?: TextStore
  /** Used if none is stored. */
  readonly account?: number | undefined
  /** Default: the devnet's at their usual ports. */
  readonly networks?: readonly MobileNetwork[]
  /** Dapps may redirect users here. */
  readonly url?: string
  readonly fetch?: typeof globalThis.fetch
}): Promise<MobileWallet> {
  const { kit, end } = await startKit({ relayUrl, projectId, store, url })
  const listeners = new Set<() => void>()
  let state: MobileState = readState(store) ?? initialState(account, networks)
  let received: readonly Received[] = []
  let problem: string | null = null
  const questions = createQuestions({
    onChange: changed,
    onAsked(id) {
      if (state.autoApprove) void answer(id, 'yes').catch(fail)
    },
  })
  const { ask, answer } = questions
  const sessions = () => sessionsOf(kit)
  let snapshot = take()

  function take(): MobileWalletSnapshot {
    return {
      ...state,
      questions: questions.list(),
      sessions: sessions(),
      addresses: addressesOf(state),
      received,
      problem,
    }
  }
  function changed(change: Partial<MobileState> = {}) {
    state = { ...state, ...change }
    writeState(store, state)
    snapshot = take()
    for (const listener of [...listeners]) listener()
  }
  function fail(cause: unknown) {
    problem = cause instanceof Error ? cause.message : String(cause)
    changed()
  }

  const { propose, followSignIn } = createConnectQuestions({ kit, ask, state: () => state, onFailure: fail })
  const networkOf = (id: string) => state.networks.find((network) => network.id === id)
  const networkTasks: NetworkTaskContext = {
    networkOf,
    switchNetwork,
    addNetwork: (network) =>
      changed({ networks: [...state.networks, network], granted: [...state.granted, network.id] }),
    fetch,
  }

  const request = createRequestQuestions({
    kit,
    ask,
    account: () => state.account,
    networkTasks,
    onReceived(event) {
      if (!received.some(({ id }) => id === event.id)) received = [...received, event].slice(-1_000)
      changed()
    },
    onFailure: fail,
  })

  async function switchNetwork(id: string) {
    const network = networkOf(id)
    if (network === undefined) throw new Error(`The wallet does not know ${id}.`)
    changed({ active: { ...state.active, [namespaceOf(network.id)]: network.id } })
    await tellNetwork(kit, network.id, () => state.account)
    changed()
  }

  async function switchAccount(index: number) {
    if (!Number.isInteger(index) || index < 0 || index > 9) throw new RangeError('The accounts are 0 to 9.')
    changed({ account: index })
    await tellAccount(kit, index)
    changed()
  }

  kit.on('session_proposal', propose)
  followSignIn()
  kit.on('session_request', (event) => void request(event).catch(fail))
  kit.on('session_delete', ({ topic }) => {
    const ended = new Set(received.filter((known) => known.topic === topic).map(({ id }) => id))
    questions.drop(({ id }) => ended.has(id))
    changed()
  })
  kit.on('proposal_expire', ({ id }) => questions.drop((question) => question.id === id))
  kit.on('session_request_expire', ({ id }) => questions.drop((question) => question.id === id))
  for (const params of Object.values(kit.getPendingSessionProposals())) propose({ id: params.id, params })

  return {
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async pair(uri) {
      problem = null
      try {
        await kit.pair({ uri: uri.trim() })
        changed()
      } catch (cause) {
        fail(cause)
        throw cause
      }
    },
    approve: (id) => answer(id, 'yes'),
    reject: (id) => answer(id, 'no'),
    sessions,
    async disconnect(topic) {
      for (const session of sessions().filter((each) => topic === undefined || each.topic === topic))
        await kit.disconnectSession({ topic: session.topic, reason: refusals.disconnected })
      changed()
    },
    switchAccount,
    switchNetwork,
    grant(ids) {
      const wanted = state.networks.filter(({ id }) => ids.includes(id) || ids.includes(namespaceOf(id)))
      changed({ granted: wanted.map(({ id }) => id) })
    },
    setAutoApprove(autoApprove) {
      changed({ autoApprove })
      if (autoApprove) for (const { id } of questions.list()) void answer(id, 'yes').catch(fail)
    },
    setSignsIn(signsIn) {
      changed({ signsIn })
      followSignIn()
    },
    async end() {
      listeners.clear()
      await end()
    },
  }
}

function addressesOf({ account }: MobileState): MobileWalletSnapshot['addresses'] {
  const { payment, ordinals } = bitcoinAccount(account)
  return {
    eip155: eip155Account(account).address,
    solana: solanaAccount(account).address,
    payment: payment.address,
    ordinals: ordinals.address,
  }
}
