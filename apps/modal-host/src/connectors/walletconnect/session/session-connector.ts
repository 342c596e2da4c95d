import type { Clock } from '@postern/base/clock'
import type { CaipNetworkId, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Connector, WalletIdentity, WalletSession } from '../../connector'
import { restoredBy } from '../../restored'
import type { Session } from '../client/client'
import type { ClientHolder } from '../client/client-holder'
import { dialects } from '../dialects/dialects'
import type { WalletConnectOptions } from '../options'
import { askWallet } from './ask'
import { type Grant, grantsOf } from './grant'
import type { SessionRecords } from './records'
import { leaveSession } from './session-deletion'
import { requestInSession } from './session-request'
import { createSessionView } from './session-view'

export type SessionContext = Pick<WalletConnectOptions, 'networks' | 'normalise' | 'preferredNetwork' | 'clientOf'> & {
  readonly clock: Clock
  readonly holder: ClientHolder
  readonly records: SessionRecords
  readonly needRelay: () => void
}

const sessionUpdateTimeoutMs = 5_000

/**
 * The connector of one namespace of a WalletConnect session. See `session-view.ts` and `session-request.ts`.
 *
 * 1. The stored session is the state, without the library and without a prompt. It has ended if it expired, was
 *    deleted, or was left in this namespace.
 * 2. See `requestInSession`.
 * 3. A network that the session lacks is requested from the wallet if the namespace can, else it is CHAIN_NOT_SUPPORTED
 *    (spec §8).
 * 4. The wallet's events about this namespace are emitted; malformed ones are ignored.
 * 5. Leaving a namespace keeps the session for the others. The last one deletes it at the wallet without waiting; what
 *    could not be sent is sent later.
 */
export function createSessionConnector(
  context: SessionContext,
  namespace: Namespace,
  topic: string,
  identity: WalletIdentity,
): Connector {
  const { holder, records, clientOf, clock } = context
  const dialect = dialects[namespace]
  const view = createSessionView(context, namespace, topic)
  let leaving = new AbortController()

  /** Null also if this namespace left it (rule 1). */
  function storedSession(): Session | null {
    return records.get(topic).left.includes(namespace) ? null : holder.stored(topic)
  }

  function grantedSession(): { readonly session: Session; readonly grant: Grant } {
    const session = storedSession()
    const grant = session === null ? undefined : grantIn(session, namespace)
    if (session === null || grant === undefined) throw new Failure('DISCONNECTED')
    return { session, grant }
  }

  function ask(chainId: string, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    return askWallet({ holder, clock, topic, chainId, method, params, signals: [signal, leaving.signal] })
  }

  async function load(): Promise<WalletSession | null> {
    const session = storedSession()
    if (session === null) {
      // Expired, or deleted by another tab.
      if (holder.stored(topic) === null) records.forget(topic)
      return null
    }
    context.needRelay()
    // The library receives missed events, and may find that the keys are lost.
    holder.openFor(topic).then(
      (client) => {
        if (!client.session.keys.includes(topic)) holder.announceEnd(topic)
      },
      () => {},
    )
    return view.load(session)
  }

  return {
    id: stableIdOfTopic(topic),
    name: identity.name,
    type: 'WALLET_CONNECT',
    ...(identity.imageUrl !== undefined && { imageUrl: identity.imageUrl }),
    namespace,
    stableId: stableIdOfTopic(topic),

    connect: load,
    reconnect: () => restoredBy(load),

    async disconnect() {
      leaving.abort(new Failure('DISCONNECTED'))
      leaving = new AbortController()
      leaveSession(context, namespace, topic)
    },

    async switchNetwork(network, signal) {
      const { grant } = grantedSession()
      const [first] = grant.networks
      if (first === undefined) throw new Failure('DISCONNECTED')
      const networkId = network.caipNetworkId
      if (!hasNetwork(grant, networkId)) {
        if (dialect.grantNetwork === undefined) throw new Failure('CHAIN_NOT_SUPPORTED')
        const current = grant.networks.find((granted) => granted.networkId === view.current()?.networkId) ?? first
        await dialect.grantNetwork({
          network,
          methods: grant.methods,
          ask: (method, params) => ask(current.chainId, method, params, signal),
          untilGranted: () => untilGranted(context, namespace, topic, networkId),
        })
      }
      view.chooseNetwork(networkId)
      const session = storedSession()
      if (session === null) throw new Failure('DISCONNECTED')
      await view.refresh(session)
      return networkId
    },

    async request(method, params, signal) {
      const { session, grant } = grantedSession()
      const shown = view.current() ?? (await view.load(session))
      if (shown === null) throw new Failure('DISCONNECTED')
      const state = { ...shown, methods: grant.methods, properties: session.sessionProperties }
      return requestInSession({ dialect, grant, state, ask, ...(clientOf && { clientOf }) }, method, params, signal)
    },

    listen: view.listen,
  }
}

function stableIdOfTopic(topic: string): string {
  return `walletconnect:${topic}`
}

/** Rule 3: false if the session does not gain the network in time. */
function untilGranted(
  { holder, clock }: Pick<SessionContext, 'holder' | 'clock'>,
  namespace: Namespace,
  topic: string,
  networkId: CaipNetworkId,
): Promise<boolean> {
  const isGranted = () => {
    const session = holder.stored(topic)
    const grant = session === null ? undefined : grantIn(session, namespace)
    return grant !== undefined && hasNetwork(grant, networkId)
  }
  if (isGranted()) return Promise.resolve(true)
  return new Promise((resolve) => {
    const settle = () => {
      stopTimer()
      stop()
      resolve(isGranted())
    }
    const stopTimer = clock.after(sessionUpdateTimeoutMs, settle)
    const stop = holder.listen(topic, ({ kind }) => {
      if (kind === 'ended' || isGranted()) settle()
    })
  })
}

function grantIn(session: Session, namespace: Namespace): Grant | undefined {
  return grantsOf(session.namespaces).get(namespace)
}

function hasNetwork(grant: Grant, networkId: CaipNetworkId): boolean {
  return grant.networks.some((network) => network.networkId === networkId)
}
