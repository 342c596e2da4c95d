import { isCaipNetworkId, type Namespace } from '@postern/protocol'
import type { WalletKitTypes } from '@reown/walletkit'
import { bitcoinAccount } from '../bitcoin/accounts'
import { invalidParams, toProviderRpcError } from '../page-wallet/rpc-error'
import { solanaAccount } from '../solana/accounts'
import { bitcoinTask } from './bitcoin'
import type { MobileNetwork, MobileSession, MobileWalletSnapshot, Received, Task } from './contract'
import { eip155Account, eip155Task } from './eip155'
import { accountOn, grantedNamespaces, namespaceOf, sessionProperties } from './grants'
import { startKit } from './kit'
import { addTask, type NetworkTaskContext, switchTask } from './network-tasks'
import { createQuestions } from './questions'
import { sessionsOf, tellAccount, tellNetwork } from './sessions'
import { signInTask } from './sign-in'
import { solanaTask } from './solana'
import { initialState, type MobileState, readState, writeState } from './state'
import { memoryStore, type TextStore } from './storage'

export type MobileWallet = {
  snapshot(): MobileWalletSnapshot
  /** Called after each change; returns an unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** From a QR code, a link or the clipboard. */
  pair(uri: string): Promise<void>
  /** Default: the oldest. Resolves once the relay has the response. */
  approve(id?: number): Promise<void>
  reject(id?: number): Promise<void>
  sessions(): readonly MobileSession[]
  disconnect(topic?: string): Promise<void>
  /** 0 to 9. Notifies every session. */
  switchAccount(index: number): Promise<void>
  /** Adds it to sessions that lack it. */
  switchNetwork(id: string): Promise<void>
  /** Networks or namespaces for the next approval. */
  grant(ids: readonly string[]): void
  setAutoApprove(autoApprove: boolean): void
  /** If false, it responds to the plain proposal. */
  setSignsIn(signsIn: boolean): void
  /** Sessions stay. */
  end(): Promise<void>
}

/** Source: https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes */
const refusal = {
  rejected: { code: 5000, message: 'User rejected.' },
  unsupportedChains: { code: 5100, message: 'Unsupported chains.' },
  disconnected: { code: 6000, message: 'User disconnected.' },
} as const

/**
 * WalletKit with real keys of the devnet's mnemonic. Works in a page and in Node.
 *
 * 1. Nothing is granted or signed until the owner approves or turns on automatic approval. A rejection is 5000.
 * 2. A request that cannot be done is rejected with its reason before the owner is asked.
 * 3. A question disappears when it is answered, when it expires, and when its session ends.
 * 4. Account, networks and sessions are kept in `store`. Unanswered questions return after a restart.
 * 5. Contacts only the relay and the nodes of its networks.
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
    const { payment, ordinals } = bitcoinAccount(state.account)
    return {
      ...state,
      questions: questions.list(),
      sessions: sessions(),
      addresses: {
        eip155: eip155Account(state.account).address,
        solana: solanaAccount(state.account).address,
        payment: payment.address,
        ordinals: ordinals.address,
      },
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

  function propose({ id, params }: Pick<WalletKitTypes.SessionProposal, 'id' | 'params'>) {
    const { metadata } = params.proposer
    const wanted = [...Object.entries(params.requiredNamespaces), ...Object.entries(params.optionalNamespaces)]
    ask({
      id,
      kind: 'connect',
      dapp: metadata,
      title: 'Connect to this site',
      rows: wanted.map(([key, { chains = [key] }]) => ({
        label: namespaceNames[namespaceOf(key)],
        value: chains.map((chain) => state.networks.find((known) => known.id === chain)?.name ?? chain).join(', '),
      })),
      async yes() {
        const namespaces = grantedNamespaces(params, state.granted, state.account)
        if (namespaces === null) return kit.rejectSession({ id, reason: refusal.unsupportedChains })
        await kit.approveSession({
          id,
          namespaces: toRecord(namespaces),
          sessionProperties: sessionProperties(namespaces, state.account),
        })
      },
      no: () => kit.rejectSession({ id, reason: refusal.rejected }),
    })
  }

  async function signIn({ id, params }: WalletKitTypes.SessionAuthenticate) {
    const { metadata } = params.requester
    const task = signInTask(kit, params.authPayload, state.granted, state.account)
    if (task === null) return kit.rejectSessionAuthenticate({ id, reason: refusal.unsupportedChains })
    const names = task.chains.map((chain) => networkOf(chain)?.name ?? chain)
    ask({
      id,
      kind: 'connect',
      dapp: metadata,
      title: 'Connect and sign in',
      rows: [...task.rows, { label: namespaceNames.eip155, value: names.join(', ') }],
      raw: task.raw,
      async yes() {
        await kit.approveSessionAuthenticate({ id, auths: await task.sign() })
      },
      no: () => kit.rejectSessionAuthenticate({ id, reason: refusal.rejected }),
    })
  }
  const onSignIn = (event: WalletKitTypes.SessionAuthenticate) => void signIn(event).catch(fail)
  function followSignIn(): void {
    kit.removeListener('session_authenticate', onSignIn)
    if (state.signsIn) kit.on('session_authenticate', onSignIn)
  }

  async function request({ id, topic, params }: WalletKitTypes.SessionRequest) {
    const { chainId, request } = params
    const method: string = request.method
    const given: unknown = request.params
    if (!received.some((known) => known.id === id))
      received = [...received, { id, topic, chainId, method, params: given }].slice(-1_000)
    changed()
    const fails = (error: { readonly code: number; readonly message: string }) =>
      kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', error } })
    const refuse = (cause: unknown) => {
      const { code, message } = toProviderRpcError(cause)
      return fails({ code, message })
    }
    try {
      const task = await taskOf(chainId, method, given, topic)
      const session = kit.getActiveSessions()[topic]
      if (session === undefined) return
      ask({
        id,
        kind: 'request',
        dapp: session.peer.metadata,
        title: task.title,
        rows: [...task.rows, { label: 'Network', value: networkOf(chainId)?.name ?? chainId }],
        raw: task.raw,
        async yes() {
          try {
            const result = await task.run()
            await kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', result } })
          } catch (cause) {
            fail(cause)
            await refuse(cause)
          }
        },
        no: () => fails(refusal.rejected),
      })
    } catch (cause) {
      await refuse(cause)
    }
  }

  const networkOf = (id: string) => state.networks.find((network) => network.id === id)
  const networkTasks: NetworkTaskContext = {
    networkOf,
    switchNetwork,
    addNetwork: (network) =>
      changed({ networks: [...state.networks, network], granted: [...state.granted, network.id] }),
    fetch,
  }

  async function taskOf(chainId: string, method: string, params: unknown, topic: string): Promise<Task> {
    if (!isCaipNetworkId(chainId)) throw invalidParams(`${chainId} is no network.`)
    if (method === 'wallet_switchEthereumChain') return switchTask(params, networkTasks)
    if (method === 'wallet_addEthereumChain') return addTask(params, networkTasks)
    const context = { chainId, account: accountOf(topic), url: networkOf(chainId)?.url, fetch }
    return { eip155: eip155Task, solana: solanaTask, bip122: bitcoinTask }[namespaceOf(chainId)](
      method,
      params,
      context,
    )
  }
  /** May differ from the owner's selection until an update arrives. */
  function accountOf(topic: string): number {
    const accounts = sessions().find((session) => session.topic === topic)?.accounts ?? []
    const [first] = accounts
    if (first === undefined) return state.account
    const chain = first.slice(0, first.lastIndexOf(':'))
    const index = Array.from({ length: 10 }, (_, each) => each).find((each) => accountOn(chain, each) === first)
    return index ?? state.account
  }

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
        await kit.disconnectSession({ topic: session.topic, reason: refusal.disconnected })
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

export const namespaceNames: { readonly [N in Namespace]: string } = {
  eip155: 'Ethereum and its kind',
  solana: 'Solana',
  bip122: 'Bitcoin',
}

function toRecord<T>(namespaces: Partial<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(namespaces).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return Object.fromEntries(entries)
}
