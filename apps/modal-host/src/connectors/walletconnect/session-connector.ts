import {
  type CaipNetworkId,
  currentNetworkId,
  isCaipNetworkId,
  type Namespace,
  parseCaipNetworkId,
} from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { Connector, ConnectorEvent, WalletIdentity, WalletSession } from '../connector'
import { askWallet } from './ask'
import { toldAddresses } from './bitcoin-accounts'
import type { Session } from './client'
import type { ClientHolder } from './client-holder'
import { broadcastSigned, compositions } from './compose'
import type { WalletConnectOptions } from './contract'
import type { SessionState } from './dialects/dialect'
import { dialects } from './dialects/dialects'
import { forDapp } from './failures'
import { accountsOf, type Grant, grantsOf, networkOf, toAccounts } from './grant'
import type { SessionRecords } from './records'
import { readSessionEvent } from './session-events'
import { grantNetwork } from './switch-network'

export type SessionContext = Pick<WalletConnectOptions, 'networks' | 'normalise' | 'preferredNetwork' | 'clientOf'> & {
  readonly clock: Clock
  readonly holder: ClientHolder
  readonly records: SessionRecords
  /** The relay is needed from now on. */
  readonly needRelay: () => void
}

const stablePrefix = 'walletconnect:'

export function stableIdOfTopic(topic: string): string {
  return stablePrefix + topic
}

/** After a switch that the wallet agreed to, its session has the chain within this, or not at all. */
const updatePatience = 5_000

/**
 * One namespace of a WalletConnect session.
 *
 * 1. The session is what is stored: after a reload, or days, it is there without the library and without asking anybody. One that is expired,
 *    deleted, or that the visitor left in this namespace, is none.
 * 2. Requests name their chain. One for a chain or with a method that the session lacks never goes out.
 *    What the wallet only signs is built and sent by the host, where it can reach the chain.
 * 3. A network that the session has is switched to here; one that it lacks is asked for on EVM, and is CHAIN_NOT_SUPPORTED elsewhere (spec §8).
 * 4. What the wallet tells (accounts, network, update, deletion, expiry) shows here when it is about this namespace. What does not parse is ignored.
 * 5. Leaving a namespace keeps the session for the others, and is remembered. The last one to leave deletes it at the wallet; nobody waits for that,
 *    and what could not be told is told later.
 */
export function createSessionConnector(
  context: SessionContext,
  namespace: Namespace,
  topic: string,
  identity: WalletIdentity,
): Connector {
  const { holder, records, networks, normalise, preferredNetwork, clientOf, clock } = context
  const dialect = dialects[namespace]
  const listeners = new Set<(event: ConnectorEvent) => void>()
  let shown: WalletSession | null = null
  let stopListening = () => {}
  let leaving = new AbortController()
  /** Accounts are normalised in a chunk of their own: only the newest news may come through, */
  let turn = 0
  /** but what comes after accounts that the wallet named waits for them: they are written down nowhere else. */
  let names = 0
  let naming: Promise<void> = Promise.resolve()

  const isLeft = () => records.get(topic).left.includes(namespace)
  const grantIn = (session: Session): Grant | undefined => grantsOf(session.namespaces).get(namespace)

  function tell(event: ConnectorEvent): void {
    for (const listener of [...listeners]) listener(event)
  }

  async function sessionOf(session: Session): Promise<WalletSession | null> {
    const grant = grantIn(session)
    if (grant === undefined) return null
    const record = records.get(topic)
    const configured = networks.list.filter(({ chainNamespace }) => chainNamespace === namespace)
    const wanted = [
      record.networks[namespace],
      preferredNetwork(namespace),
      ...configured.map((network) => network.caipNetworkId),
    ]
    const networkId = networkOf(grant, wanted)
    if (networkId === undefined) return null
    const first = record.accounts[namespace]
    const told = toldAddresses(session.sessionProperties)
    const [active, ...others] = await accountsOf(grant, { namespace, networkId, first, told, normalise })
    return active === undefined ? null : { accounts: [active, ...others], networkId }
  }

  /** Shows where the session stands, as far as that is new. */
  async function show(session: Session): Promise<void> {
    turn += 1
    const mine = turn
    await naming
    const next = await sessionOf(session)
    if (mine === turn && listeners.size > 0) tellNews(next)
  }

  function tellNews(next: WalletSession | null): void {
    const before = shown
    shown = next
    if (next === null) {
      tell({ kind: 'disconnected' })
      return
    }
    const { networkId, accounts } = next
    if (networkId !== before?.networkId) tell({ kind: 'network', networkId })
    if (JSON.stringify(accounts) !== JSON.stringify(before?.accounts)) tell({ kind: 'accounts', accounts })
  }

  function follow(): () => void {
    return holder.listen(topic, (change) => {
      if (isLeft()) return
      if (change.kind === 'ended') return tell({ kind: 'disconnected' })
      if (change.kind === 'updated') return void show(change.session)
      const news = readSessionEvent(namespace, change.event)
      const session = holder.stored(topic)
      if (news === null || session === null) return
      if (news.kind === 'network') {
        rememberNetwork(news.networkId)
        void show(session)
      }
      // What cannot be read, because its chunk does not come, says nothing.
      else naming = showAccounts(session, news.addresses).catch(() => {})
    })
  }

  /**
   * 4. The wallet's own order of accounts counts, and an account that it names is one though the session does not list it yet. Where it has just told
   * of another network, which nobody could be shown yet, that comes with them.
   */
  async function showAccounts(session: Session, named: Parameters<typeof toAccounts>[1]['told']): Promise<void> {
    turn += 1
    names += 1
    const mine = names
    const grant = grantIn(session)
    const networkId = grant && networkOf(grant, [records.get(topic).networks[namespace], shown?.networkId])
    if (networkId === undefined) return
    const told = [...named, ...toldAddresses(session.sessionProperties)]
    const addresses = named.map(({ address }) => address)
    const [active, ...others] = await toAccounts(addresses, { namespace, networkId, told, normalise })
    if (active === undefined || mine !== names) return
    records.change(topic, (record) => ({ ...record, accounts: { ...record.accounts, [namespace]: active.address } }))
    tellNews({ networkId, accounts: [active, ...others] })
  }

  function rememberNetwork(networkId: CaipNetworkId): void {
    records.change(topic, (record) => ({ ...record, networks: { ...record.networks, [namespace]: networkId } }))
  }

  function live(): Session {
    const session = isLeft() ? null : holder.stored(topic)
    if (session === null) throw new Failure('DISCONNECTED')
    return session
  }

  async function stateOf(session: Session, grant: Grant): Promise<SessionState> {
    shown ??= await sessionOf(session)
    if (shown === null) throw new Failure('DISCONNECTED')
    return { ...shown, methods: grant.methods, properties: session.sessionProperties }
  }

  function ask(chainId: string, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    return askWallet({ holder, clock, topic, chainId, method, params, signals: [signal, leaving.signal] })
  }

  /** 2. */
  async function sendInDialect(
    grant: Grant,
    state: SessionState,
    method: string,
    params: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const wire = dialect.toWire(method, params, state)
    if (!grant.methods.has(wire.method)) throw new Failure('UNSUPPORTED_METHOD')
    const networkId = networkIn(params) ?? state.networkId
    const chain = grant.networks.find((network) => network.networkId === networkId)
    if (chain === undefined) throw new Failure('CHAIN_DISCONNECTED')
    return wire.read(await ask(chain.chainId, wire.method, wire.params, signal))
  }

  function untilGranted(networkId: CaipNetworkId): Promise<boolean> {
    const isGranted = () => {
      const session = holder.stored(topic)
      return session !== null && grantIn(session)?.networks.some((network) => network.networkId === networkId) === true
    }
    if (isGranted()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = () => {
        stopTimer()
        stop()
        resolve(isGranted())
      }
      const stopTimer = clock.after(updatePatience, settle)
      const stop = holder.listen(topic, ({ kind }) => {
        if (kind === 'ended' || isGranted()) settle()
      })
    })
  }

  async function reconnect(): Promise<WalletSession | null> {
    const session = isLeft() ? null : holder.stored(topic)
    if (session === null) return null
    context.needRelay()
    // The library follows by itself: it hears what the wallet did meanwhile, and may know that the session's keys are lost.
    holder.openFor(topic).then(
      (client) => {
        if (!client.session.keys.includes(topic)) holder.announceEnd(topic)
      },
      () => {},
    )
    shown = await sessionOf(session)
    return shown
  }

  return {
    id: stableIdOfTopic(topic),
    name: identity.name,
    type: 'WALLET_CONNECT',
    ...(identity.imageUrl !== undefined && { imageUrl: identity.imageUrl }),
    namespace,
    stableId: stableIdOfTopic(topic),

    connect: reconnect,
    reconnect,

    async disconnect() {
      leaving.abort(new Failure('DISCONNECTED'))
      leaving = new AbortController()
      await leave(context, namespace, topic)
    },

    async switchNetwork(network, signal) {
      const session = live()
      const grant = grantIn(session)
      const first = grant?.networks[0]
      if (grant === undefined || first === undefined) throw new Failure('DISCONNECTED')
      const networkId = network.caipNetworkId
      if (!grant.networks.some((granted) => granted.networkId === networkId)) {
        if (namespace !== 'eip155') throw new Failure('CHAIN_NOT_SUPPORTED')
        const { addChainParameters } = await import('../page-wallet')
        const here = grant.networks.find((granted) => granted.networkId === shown?.networkId) ?? first
        await grantNetwork({
          network,
          methods: grant.methods,
          ask: (method, params) => ask(here.chainId, method, params, signal),
          untilGranted,
          addChainParameters,
        })
      }
      rememberNetwork(networkId)
      await show(live())
      return networkId
    },

    async request(method, params, signal) {
      const session = live()
      const grant = grantIn(session)
      if (grant === undefined) throw new Failure('DISCONNECTED')
      const state = await stateOf(session, grant)
      const local = dialect.localAnswer(method, state)
      if (local !== undefined) return local
      const send = (name: string, value: unknown, ended: AbortSignal) =>
        sendInDialect(grant, state, name, value, ended).catch((thrown: unknown) => {
          throw forDapp(thrown)
        })
      if (clientOf === undefined) return send(method, params, signal)
      const compose = { state, clientOf, ask: send, signal }
      const composition = compositions.get(method)
      if (composition && !grant.methods.has(wireNameOf(method)) && grant.methods.has(composition.needs))
        return composition.run(params, compose)
      const answer = await send(method, params, signal)
      return method === 'bip122_signPsbt' ? broadcastSigned(params, answer, compose) : answer
    },

    listen(listener) {
      listeners.add(listener)
      if (listeners.size === 1) stopListening = follow()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stopListening()
      }
    },
  }
}

/** 5. */
async function leave(context: SessionContext, namespace: Namespace, topic: string): Promise<void> {
  const { holder, records } = context
  records.change(topic, (record) => ({ ...record, left: [...new Set([...record.left, namespace])] }))
  const session = holder.stored(topic)
  if (session === null) return records.forget(topic)
  if (!isAbandoned(session, records)) return
  void deleteSession(context, topic).catch(() => {})
}

/** Whether every namespace of the session was left here. */
export function isAbandoned(session: Session, records: SessionRecords): boolean {
  const { left } = records.get(session.topic)
  return [...grantsOf(session.namespaces).keys()].every((namespace) => left.includes(namespace))
}

/** Deletes the session here and at the wallet. Rejects where the relay could not be told. */
export async function deleteSession(
  { holder, records }: Pick<SessionContext, 'holder' | 'records'>,
  topic: string,
): Promise<void> {
  const client = await holder.openFor(topic)
  if (client.session.keys.includes(topic)) {
    await client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } })
  }
  records.forget(topic)
}

/** Bitcoin's names have no namespace before them there. */
function wireNameOf(method: string): string {
  return method.replace(/^bip122_/, '')
}

/** The network that a Solana or Bitcoin request names for itself. */
function networkIn(params: unknown): CaipNetworkId | undefined {
  const first: unknown = Array.isArray(params) ? params[0] : params
  if (typeof first !== 'object' || first === null) return undefined
  const network: unknown = Reflect.get(first, 'network')
  return isCaipNetworkId(network) && parseCaipNetworkId(network).namespace !== 'eip155'
    ? currentNetworkId(network)
    : undefined
}
