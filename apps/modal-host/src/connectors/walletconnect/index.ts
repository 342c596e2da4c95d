/** WalletConnect: wallets reached through a relay. See docs/guides/walletconnect.md. */

import { followAbort } from '@postern/base/abort'
import { type Namespace, namespaces } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { GrantedConnector, MultiConnector, WalletIdentity } from '../connector'
import { createOneClick } from '../eip155/one-click'
import { keepEvents } from '../kept-events'
import type { Session } from './client/client'
import { createClientHolder } from './client/client-holder'
import { createRelayWatch } from './client/relay-status'
import { walletConnectStorage } from './client/storage'
import type { CreateWalletConnect } from './options'
import { awaitApproval } from './pairing/attempt'
import { createPairing, createPairingMaker } from './pairing/pairing'
import { proposedNamespaces } from './pairing/proposal'
import { identityOf } from './pairing/wallet-identity'
import { grantsOf } from './session/grant'
import { createSessionRecords } from './session/records'
import { createSessionConnector, type SessionContext } from './session/session-connector'
import { deleteSession, isAbandoned } from './session/session-deletion'

/**
 * Creates the WalletConnect connectors.
 *
 * 1. Nothing is loaded or contacted before `prepare`, `connect`, or the `reconnect` of a stored session.
 * 2. `connect` returns a connector for every requested namespace that was granted; without any, CHAIN_NOT_SUPPORTED and
 *    no session.
 * 3. A finished attempt leaves no proposal; a late session is deleted.
 * 4. A session left while the relay was offline is deleted when the library next starts.
 * 5. After `end` nothing is sent or received.
 * 6. If connecting and signing in are one step (`eip155/one-click.ts`), the page saves the signed messages before the
 *    user is connected. If the page rejects them, the session ends and the attempt fails. After a failure they are two
 *    steps.
 */
export const createWalletConnect: CreateWalletConnect = (options): MultiConnector => {
  const { networks, clock } = options
  const relay = createRelayWatch(clock)
  const records = createSessionRecords(options.storage)
  const ended = new AbortController()
  const holder = createClientHolder({
    relay: options.relay,
    metadata: options.metadata,
    storage: walletConnectStorage(options.storage),
    hostStorage: options.storage,
    now: clock.now,
    watch: relay,
    onPageReturn: options.onPageReturn,
    onStart(client) {
      for (const session of client.session.getAll()) {
        if (isAbandoned(session, records)) deleteSession(context, session.topic).catch(() => {})
      }
    },
  })
  const context: SessionContext = { ...options, holder, records, needRelay: relay.need }
  const oneClick = createOneClick(options)
  const maker = createPairingMaker(clock, async (requested) => {
    const [client, request] = await Promise.all([holder.open(), oneClick?.request()])
    return createPairing(client, clock, proposedNamespaces(networks, requested), request)
  })

  let attempts = 0

  const configured = namespaces.filter((namespace) =>
    networks.list.some(({ chainNamespace }) => chainNamespace === namespace),
  )

  async function adopt(
    session: Session,
    row: WalletIdentity,
    requested: readonly Namespace[],
  ): Promise<readonly GrantedConnector[]> {
    const { topic } = session
    const client = await holder.open()
    // Only the page opens links, because it checks them.
    await client.session.update(topic, { sessionConfig: { ...session.sessionConfig, disableDeepLink: true } })
    const identity = identityOf(row, session.peer.metadata.name)
    const granted = [...grantsOf(session.namespaces).keys()]
    const adopted: GrantedConnector[] = []
    for (const namespace of granted.filter((one) => requested.includes(one))) {
      const connector = createSessionConnector(context, namespace, topic, identity)
      const events = keepEvents(connector)
      const walletSession = await connector.connect(ended.signal)
      if (walletSession !== null) adopted.push({ connector, session: walletSession, events })
      else events.drop()
    }
    const left = granted.filter((namespace) => adopted.every(({ connector }) => connector.namespace !== namespace))
    records.change(topic, (record) => ({ ...record, left }))
    return adopted
  }

  function drop({ topic, namespaces: agreed }: Session): void {
    records.change(topic, (record) => ({ ...record, left: [...grantsOf(agreed).keys()] }))
    deleteSession(context, topic).catch(() => {})
  }

  return {
    async connect({ row, namespaces: requested, signal: outer, onPairing }) {
      const offered = configured.filter((namespace) => requested.includes(namespace))
      if (offered.length === 0) throw new Failure('CHAIN_NOT_SUPPORTED')
      relay.need()
      attempts += 1
      const controller = new AbortController()
      const signal = followAbort(controller, outer)
      const stop = () => controller.abort()
      ended.signal.addEventListener('abort', stop, { once: true })
      try {
        const take = () => maker.take(offered)
        const session = await awaitApproval({ take, clock, signal, onPairing, onLate: drop })
        let adopted: readonly GrantedConnector[] = []
        try {
          adopted = await adopt(session, row, offered)
          if (adopted.length > 0 && !signal.aborted) await oneClick?.save(await holder.open(), session, signal)
          if (adopted.length > 0 && !signal.aborted) return adopted
          throw new Failure(signal.aborted ? 'ABORTED' : 'CHAIN_NOT_SUPPORTED')
        } catch (thrown) {
          for (const { events } of adopted) events?.drop()
          drop(session)
          throw thrown
        }
      } catch (thrown) {
        if (oneClick !== null && !signal.aborted && asFailure(thrown).code !== 'TIMEOUT') {
          oneClick.giveUp()
          maker.end()
        }
        throw thrown
      } finally {
        attempts -= 1
        ended.signal.removeEventListener('abort', stop)
        controller.abort()
      }
    },

    restore: (namespace, stableId, identity) =>
      createSessionConnector(context, namespace, stableId.slice(stableId.indexOf(':') + 1), identity),

    prepare() {
      if (configured.length === 0 || ended.signal.aborted || attempts > 0) return
      relay.need()
      maker.prepare(configured)
    },

    relay: { status: relay.status, subscribe: relay.subscribe },

    end() {
      holder.end()
      ended.abort()
      maker.end()
      relay.end()
    },
  }
}
