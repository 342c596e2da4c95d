/**
 * WalletConnect: wallets on a phone, on the desktop or on the web, reached through a relay. One approval gives a session, which serves every
 * namespace that the wallet granted. The library loads on first use. See docs/guides/walletconnect.md.
 */
import { type Namespace, namespaces } from '@postern/protocol'
import { followAbort } from '@postern/protocol/abort'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { GrantedConnector, MultiConnector, WalletIdentity } from '../connector'
import { awaitApproval } from './attempt'
import type { Session } from './client'
import { createClientHolder } from './client-holder'
import type { CreateWalletConnect } from './contract'
import { grantsOf } from './grant'
import { createOneClick } from './one-click'
import { createPairing, createPairingMaker } from './pairing'
import { proposedNamespaces } from './proposal'
import { createSessionRecords } from './records'
import { createRelayWatch } from './relay-status'
import { createSessionConnector, deleteSession, isAbandoned, type SessionContext } from './session-connector'
import { walletConnectStorage } from './storage'
import { identityOf } from './wallet-identity'

/**
 * 1. Nothing is loaded or contacted before `prepare`, `connect`, or the `reconnect` of a session that is stored.
 * 2. `connect` gives a connector for every namespace that was asked for and granted; CHAIN_NOT_SUPPORTED, and no session left, when that is none.
 * 3. An attempt that is over leaves no proposal behind; a session that comes of it too late is deleted.
 * 4. A session that was left while the relay was away is deleted when the library starts next.
 * 5. After `end` nothing is sent, and nothing is heard.
 * 6. Where connecting and signing in are one step (`one-click.ts`), the page has saved what was signed before anybody is connected. A page that does
 *    not take it ends the session, and the attempt fails with what it said. After a failure of either step they are two.
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
    onStart(client) {
      for (const session of client.session.getAll()) {
        if (isAbandoned(session, records)) deleteSession(context, session.topic).catch(() => {})
      }
    },
  })
  const context: SessionContext = { ...options, holder, records, needRelay: relay.need }
  const oneClick = createOneClick(options)
  const maker = createPairingMaker(clock, async (wanted) => {
    const [client, request] = await Promise.all([holder.open(), oneClick?.request()])
    return createPairing(client, clock, proposedNamespaces(networks, wanted), request)
  })

  let attempts = 0

  const configured = namespaces.filter((namespace) =>
    networks.list.some(({ chainNamespace }) => chainNamespace === namespace),
  )

  async function adopt(
    session: Session,
    row: WalletIdentity,
    wanted: readonly Namespace[],
  ): Promise<readonly GrantedConnector[]> {
    const { topic } = session
    const client = await holder.open()
    // The library would open the wallet by itself, in place of the page: links are opened by the page, which checks them.
    await client.session.update(topic, { sessionConfig: { ...session.sessionConfig, disableDeepLink: true } })
    const identity = identityOf(row, session.peer.metadata.name)
    const granted = [...grantsOf(session.namespaces).keys()]
    const adopted: GrantedConnector[] = []
    for (const namespace of granted.filter((one) => wanted.includes(one))) {
      const connector = createSessionConnector(context, namespace, topic, identity)
      const found = await connector.connect(ended.signal)
      if (found !== null) adopted.push({ connector, session: found })
    }
    const left = granted.filter((namespace) => adopted.every(({ connector }) => connector.namespace !== namespace))
    records.change(topic, (record) => ({ ...record, left }))
    return adopted
  }

  /** Nobody wants it: it is ended at the wallet, at the latest when the library starts next. */
  function drop({ topic, namespaces: agreed }: Session): void {
    records.change(topic, (record) => ({ ...record, left: [...grantsOf(agreed).keys()] }))
    deleteSession(context, topic).catch(() => {})
  }

  return {
    async connect({ row, namespaces: asked, signal: outer, onPairing }) {
      const wanted = configured.filter((namespace) => asked.includes(namespace))
      if (wanted.length === 0) throw new Failure('CHAIN_NOT_SUPPORTED')
      relay.need()
      attempts += 1
      const controller = new AbortController()
      const signal = followAbort(controller, outer)
      const stop = () => controller.abort()
      ended.signal.addEventListener('abort', stop, { once: true })
      try {
        const take = () => maker.take(wanted)
        const session = await awaitApproval({ take, clock, signal, onPairing, onLate: drop })
        try {
          const adopted = await adopt(session, row, wanted)
          if (adopted.length > 0 && !signal.aborted) await oneClick?.save(await holder.open(), session, signal)
          if (adopted.length > 0 && !signal.aborted) return adopted
          throw new Failure(signal.aborted ? 'ABORTED' : 'CHAIN_NOT_SUPPORTED')
        } catch (thrown) {
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
      // A code that is being made for an attempt is on its way already.
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
