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
  readonly needRelay: () => void
}

const stablePrefix = 'walletconnect:'

function stableIdOfTopic(topic: string): string {
  return stablePrefix + topic
}

/** How long the session may take, in ms, to gain a chain after a switch. */
const updatePatience = 5_000

/**
 * The connector of one namespace of a WalletConnect session.
 *
 * 1. The stored session is the state, without the library and without a prompt. It is null if it expired, was deleted,
 *    or was left in this namespace.
 * 2. Requests name their chain. One with a chain or method that the session lacks is never sent. If the wallet only
 *    signs, the host builds and sends, if it can reach the chain.
 * 3. A network in the session is switched to here; a missing one is requested from the wallet on EVM, and is
 *    CHAIN_NOT_SUPPORTED elsewhere (spec §8).
 * 4. The wallet's events (accounts, network, update, deletion, expiry) are emitted if they are about this namespace.
 *    Malformed ones are ignored.
 * 5. Leaving a namespace is stored, and keeps the session for the others. The last one deletes it at the wallet without
 *    waiting; what could not be sent is sent later.
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
  /** Accounts are normalised in another chunk, so only the newest state may be emitted, */
  let turn = 0
  /** after announced accounts, which are stored nowhere else. */
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
      // If the chunk fails to load, drop the event.
      else naming = showAccounts(session, news.addresses).catch(() => {})
    })
  }

  /** 4: in the wallet's order, even before the session lists them, with a network announced just before. */
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

  /** 2: only what the session grants is sent. */
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
    // The library receives missed events, and may find that the keys are lost.
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

async function leave(context: SessionContext, namespace: Namespace, topic: string): Promise<void> {
  const { holder, records } = context
  records.change(topic, (record) => ({ ...record, left: [...new Set([...record.left, namespace])] }))
  const session = holder.stored(topic)
  if (session === null) return records.forget(topic)
  if (!isAbandoned(session, records)) return
  void deleteSession(context, topic).catch(() => {})
}

export function isAbandoned(session: Session, records: SessionRecords): boolean {
  const { left } = records.get(session.topic)
  return [...grantsOf(session.namespaces).keys()].every((namespace) => left.includes(namespace))
}

/** Here and at the wallet. Rejects if the relay is unreachable. */
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

/** WalletConnect's Bitcoin methods have no prefix. */
function wireNameOf(method: string): string {
  return method.replace(/^bip122_/, '')
}

function networkIn(params: unknown): CaipNetworkId | undefined {
  const first: unknown = Array.isArray(params) ? params[0] : params
  if (typeof first !== 'object' || first === null) return undefined
  const network: unknown = Reflect.get(first, 'network')
  return isCaipNetworkId(network) && parseCaipNetworkId(network).namespace !== 'eip155'
    ? currentNetworkId(network)
    : undefined
}
