/** A wallet on another device: WalletKit, with real keys of the devnet's phrase. Runs in a page and in Node. */
import { type CaipNetworkId, isCaipNetworkId, type Namespace } from '@postern/protocol'
import { WalletKit, type WalletKitTypes } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { bitcoinAccount } from '../bitcoin/accounts'
import { AddChain, readParams, SwitchChain } from '../page-wallet/requests'
import { invalidParams, toProviderRpcError, unknownChain } from '../page-wallet/rpc-error'
import { solanaAccount } from '../solana/accounts'
import { bitcoinAddresses, bitcoinTask } from './bitcoin'
import type { MobileNetwork, MobileSession, MobileWalletSnapshot, Question, Received, Task } from './contract'
import { eip155Account, eip155Task } from './eip155'
import { accountOn, grantedNamespaces, namespaceOf, sessionProperties } from './grants'
import { jsonRpc } from './json-rpc'
import { solanaTask } from './solana'
import { initialState, type MobileState, readState, writeState } from './state'
import { keyValueStorage, memoryStore, type TextStore } from './storage'

export type MobileWallet = {
  snapshot(): MobileWalletSnapshot
  /** Called after each change; answers with its unsubscribe. */
  subscribe(listener: () => void): () => void
  /** Takes a `wc:` URI, from a QR code, a link or the clipboard. */
  pair(uri: string): Promise<void>
  /** Says yes to a question, the oldest where none is named. Settles once the answer is at the relay. */
  approve(id?: number): Promise<void>
  reject(id?: number): Promise<void>
  sessions(): readonly MobileSession[]
  /** Ends one session, or all. */
  disconnect(topic?: string): Promise<void>
  /** 0 to 9. Every session hears of it. */
  switchAccount(index: number): Promise<void>
  /** Makes a network the active one of its namespace; sessions that do not have it yet get it. */
  switchNetwork(id: string): Promise<void>
  /** Networks, or whole namespaces, that the next approval grants. */
  grant(ids: readonly string[]): void
  setAutoApprove(autoApprove: boolean): void
  /** Closes the connection to the relay; sessions stay. */
  end(): Promise<void>
}

/** Source: https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes */
const refusal = {
  rejected: { code: 5000, message: 'User rejected.' },
  unsupportedChains: { code: 5100, message: 'Unsupported chains.' },
  disconnected: { code: 6000, message: 'User disconnected.' },
} as const

type Asked = Question & { readonly yes: () => Promise<void>; readonly no: () => Promise<void> }

/**
 * 1. Nothing is granted or signed before the owner said yes, or switched questions off; no is 5000.
 * 2. A request that cannot be done is refused with its reason before anybody is asked.
 * 3. A question goes away when it was answered, when it expired, and when its session ended.
 * 4. Account, networks and sessions are kept in `store`; questions that were not answered come back after a restart.
 * 5. Nothing but the relay and the nodes of its networks is contacted.
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
  /** The account to begin with, where nothing is kept. */
  readonly account?: number | undefined
  /** The networks to begin with; those of the devnet at their usual ports where absent. */
  readonly networks?: readonly MobileNetwork[]
  /** The wallet's own address, that dapps may send people back to. */
  readonly url?: string
  readonly fetch?: typeof globalThis.fetch
}): Promise<MobileWallet> {
  const customStoragePrefix = `mobile-wallet-${crypto.randomUUID()}`
  const core = new Core({
    projectId,
    relayUrl,
    logger: 'silent',
    telemetryEnabled: false,
    customStoragePrefix,
    storage: keyValueStorage(store, customStoragePrefix),
  })
  // Attestations come from a server outside; what a dapp says of itself is all that the devnet has.
  core.verify.resolve = () => Promise.reject(new Error('There are no attestations here.'))
  // The library tells a server outside that it started, telemetry or not.
  core.eventClient.init = async () => undefined
  const kit = await WalletKit.init({
    // The library's own types disagree about what may be undefined.
    core: Object.assign(core, { relayUrl, projectId }),
    metadata: {
      name: 'Devnet Mobile Wallet',
      description: 'A wallet with play money',
      url,
      icons: [],
      redirect: { universal: url },
    },
    // The library would show the next request a second after the last was answered.
    signConfig: { disableRequestQueue: true },
  })
  const listeners = new Set<() => void>()
  let state: MobileState = readState(store) ?? initialState(account, networks)
  let asked: readonly Asked[] = []
  let received: readonly Received[] = []
  let problem: string | null = null
  let snapshot = take()

  function take(): MobileWalletSnapshot {
    const { payment, ordinals } = bitcoinAccount(state.account)
    return {
      ...state,
      questions: asked.map(({ yes: _, no: __, ...question }) => question),
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
  function sessions(): readonly MobileSession[] {
    return Object.values(kit.getActiveSessions()).map(({ topic, peer, namespaces, expiry }) => ({
      topic,
      dapp: peer.metadata,
      accounts: Object.values(namespaces).flatMap(({ accounts }) => accounts),
      expiry,
    }))
  }
  function fail(cause: unknown) {
    problem = cause instanceof Error ? cause.message : String(cause)
    changed()
  }

  function ask(question: Asked) {
    if (asked.some(({ id }) => id === question.id)) return
    asked = [...asked, question]
    changed()
    if (state.autoApprove) void answer(question.id, 'yes').catch(fail)
  }
  function drop(test: (question: Asked) => boolean) {
    const left = asked.filter((question) => !test(question))
    if (left.length === asked.length) return
    asked = left
    changed()
  }
  async function answer(id: number | undefined, word: 'yes' | 'no') {
    const question = id === undefined ? asked[0] : asked.find((other) => other.id === id)
    if (question === undefined) throw new Error('Nothing waits for an answer.')
    drop((other) => other === question)
    await question[word]()
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

  async function taskOf(chainId: string, method: string, params: unknown, topic: string): Promise<Task> {
    if (!isCaipNetworkId(chainId)) throw invalidParams(`${chainId} is no network.`)
    if (method === 'wallet_switchEthereumChain') return switchTask(params)
    if (method === 'wallet_addEthereumChain') return addTask(params)
    const context = { chainId, account: accountOf(topic), url: networkOf(chainId)?.url, fetch }
    return { eip155: eip155Task, solana: solanaTask, bip122: bitcoinTask }[namespaceOf(chainId)](
      method,
      params,
      context,
    )
  }
  /** The account that the session shows; the owner may have switched while the update was on its way. */
  function accountOf(topic: string): number {
    const accounts = sessions().find((session) => session.topic === topic)?.accounts ?? []
    const [first] = accounts
    if (first === undefined) return state.account
    const chain = first.slice(0, first.lastIndexOf(':'))
    const index = Array.from({ length: 10 }, (_, each) => each).find((each) => accountOn(chain, each) === first)
    return index ?? state.account
  }

  function switchTask(params: unknown): Task {
    const [{ chainId }] = readParams(SwitchChain, 'wallet_switchEthereumChain', params)
    const network = networkOf(`eip155:${Number(chainId)}`)
    if (network === undefined) throw unknownChain(Number(chainId))
    return {
      title: 'Switch network',
      rows: [{ label: 'To', value: network.name }],
      run: async () => {
        await switchNetwork(network.id)
        return null
      },
    }
  }
  async function addTask(params: unknown): Promise<Task> {
    const [chain] = readParams(AddChain, 'wallet_addEthereumChain', params)
    const id: CaipNetworkId = `eip155:${Number(chain.chainId)}`
    const [endpoint = ''] = chain.rpcUrls
    const network: MobileNetwork = { id, name: chain.chainName, url: endpoint }
    if (networkOf(id) !== undefined) return switchTask([{ chainId: chain.chainId }])
    if (Number(await jsonRpc(endpoint, fetch)('eth_chainId', [])) !== Number(chain.chainId))
      throw invalidParams(`The endpoint ${endpoint} serves another chain than ${chain.chainId}.`)
    return {
      title: 'Add a network and switch to it',
      rows: [
        { label: 'Name', value: network.name },
        { label: 'Chain ID', value: `${Number(chain.chainId)}` },
        { label: 'Endpoint', value: network.url },
      ],
      run: async () => {
        changed({ networks: [...state.networks, network], granted: [...state.granted, id] })
        await switchNetwork(id)
        return null
      },
    }
  }

  async function emit(topic: string, chainId: string, name: string, data: unknown) {
    const namespace = kit.getActiveSessions()[topic]?.namespaces[namespaceOf(chainId)]
    if (namespace?.events.includes(name)) await kit.emitSessionEvent({ topic, chainId, event: { name, data } })
  }

  async function switchNetwork(text: string) {
    const network = networkOf(text)
    if (network === undefined) throw new Error(`The wallet does not know ${text}.`)
    const { id } = network
    const namespace = namespaceOf(id)
    changed({ active: { ...state.active, [namespace]: id } })
    for (const { topic, namespaces } of Object.values(kit.getActiveSessions())) {
      const granted = namespaces[namespace]
      if (granted === undefined) continue
      if (!granted.accounts.some((account) => account.startsWith(`${id}:`))) {
        const more = {
          ...granted,
          chains: [...(granted.chains ?? chainsOf(granted.accounts)), id],
          accounts: [...granted.accounts, accountOn(id, state.account)],
        }
        const { acknowledged } = await kit.updateSession({ topic, namespaces: { ...namespaces, [namespace]: more } })
        await acknowledged()
      }
      await emit(topic, id, 'chainChanged', namespace === 'eip155' ? Number(id.slice('eip155:'.length)) : id)
    }
    changed()
  }

  async function switchAccount(index: number) {
    if (!Number.isInteger(index) || index < 0 || index > 9) throw new RangeError('The accounts are 0 to 9.')
    changed({ account: index })
    for (const { topic, namespaces } of Object.values(kit.getActiveSessions())) {
      const updated = Object.fromEntries(
        Object.entries(namespaces).map(([key, namespace]) => [
          key,
          { ...namespace, accounts: chainsOf(namespace.accounts).map((chain) => accountOn(chain, index)) },
        ]),
      )
      const { acknowledged } = await kit.updateSession({ topic, namespaces: updated })
      await acknowledged()
      for (const { accounts } of Object.values(updated)) {
        for (const chain of chainsOf(accounts)) {
          await emit(topic, chain, 'accountsChanged', [accountOn(chain, index)])
          await emit(topic, chain, 'bip122_addressesChanged', bitcoinAddresses(index))
        }
      }
    }
    changed()
  }

  kit.on('session_proposal', propose)
  kit.on('session_request', (event) => void request(event).catch(fail))
  kit.on('session_delete', ({ topic }) => {
    const ended = new Set(received.filter((known) => known.topic === topic).map(({ id }) => id))
    drop(({ id }) => ended.has(id))
    changed()
  })
  kit.on('proposal_expire', ({ id }) => drop((question) => question.id === id))
  kit.on('session_request_expire', ({ id }) => drop((question) => question.id === id))
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
      if (autoApprove) for (const { id } of asked) void answer(id, 'yes').catch(fail)
    },
    async end() {
      listeners.clear()
      core.heartbeat.stop()
      await core.relayer.transportClose()
    },
  }
}

export const namespaceNames: { readonly [N in Namespace]: string } = {
  eip155: 'Ethereum and its kind',
  solana: 'Solana',
  bip122: 'Bitcoin',
}

/** CAIP-2 ids of CAIP-10 accounts. */
const chainsOf = (accounts: readonly string[]) => [
  ...new Set(accounts.map((account) => account.slice(0, account.lastIndexOf(':')))),
]

function toRecord<T>(namespaces: Partial<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(namespaces).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return Object.fromEntries(entries)
}
