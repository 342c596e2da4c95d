import type { Account, CaipNetworkId, Namespace } from '@postern/protocol'
import type { ConnectorEvent, WalletSession } from '../../connector'
import type { Session } from '../client/client'
import type { ClientHolder } from '../client/client-holder'
import type { DescribedAddress } from '../dialects/dialect'
import { dialects } from '../dialects/dialects'
import type { WalletConnectOptions } from '../options'
import { accountsOf, grantsOf, networkOf, toAccounts } from './grant'
import type { SessionRecords } from './records'
import { readSessionEvent } from './session-events'

export type SessionViewContext = Pick<WalletConnectOptions, 'networks' | 'normalise' | 'preferredNetwork' | 'clock'> & {
  readonly holder: ClientHolder
  readonly records: SessionRecords
}

/** Wallets announce an account and then update the session. */
const grantWaitMs = 5_000

export type SessionView = {
  /** As last shown; null before `load`, or without an account. */
  current(): WalletSession | null
  load(session: Session): Promise<WalletSession | null>
  refresh(session: Session): Promise<void>
  /** Shown from the next refresh on. */
  chooseNetwork(networkId: CaipNetworkId): void
  listen(listener: (event: ConnectorEvent) => void): () => void
}

/**
 * Follows one namespace of a session while it has listeners.
 *
 * 1. The network is the chosen one if granted, otherwise the preferred, a configured, or the wallet's first one.
 * 2. Announced accounts are shown in the wallet's order, on a network announced just before. The active one is stored
 *    once the session lists it; after {@link grantWaitMs}, the session's own accounts are shown again.
 * 3. Addresses are normalised in another chunk, so only the newest state is emitted.
 * 4. Nothing is emitted once the namespace was left. Malformed events are ignored.
 */
export function createSessionView(context: SessionViewContext, namespace: Namespace, topic: string): SessionView {
  const { holder, records, networks, normalise, preferredNetwork } = context
  const { describedIn } = dialects[namespace].addresses
  const listeners = new Set<(event: ConnectorEvent) => void>()
  let current: WalletSession | null = null
  let stopFollowing = () => {}
  let stopWaiting = () => {}
  /** Rule 2: the announced active address, until the session lists it. */
  let announced: string | null = null
  /** Rule 3: number of the newest refresh or announcement. */
  let newest = 0
  let newestAnnouncement = 0
  /** A refresh waits for the last announcement: announced accounts are stored nowhere else. */
  let announcement: Promise<void> = Promise.resolve()

  function emit(event: ConnectorEvent): void {
    for (const listener of [...listeners]) listener(event)
  }

  function show(next: WalletSession | null): void {
    const events = eventsBetween(current, next)
    current = next
    for (const event of events) emit(event)
  }

  async function read(session: Session): Promise<WalletSession | null> {
    const grant = grantsOf(session.namespaces).get(namespace)
    if (grant === undefined) return null
    const record = records.get(topic)
    const configured = networks.list.filter(({ chainNamespace }) => chainNamespace === namespace)
    const networkId = networkOf(grant, [
      record.networks[namespace],
      preferredNetwork(namespace),
      ...configured.map(({ caipNetworkId }) => caipNetworkId),
    ])
    if (networkId === undefined) return null
    const described = describedIn(session.sessionProperties)
    const options = { namespace, networkId, first: record.accounts[namespace], described, normalise }
    const listed = await accountsOf(grant, options)
    const [active, ...others] = announced === null ? listed : takeAnnounced(listed, announced)
    return active === undefined ? null : { accounts: [active, ...others], networkId }
  }

  /** Rule 2. */
  function takeAnnounced(listed: readonly Account[], address: string): readonly Account[] {
    const found = listed.find((one) => one.address === address)
    if (found === undefined) return listed
    announced = null
    records.change(topic, (record) => ({ ...record, accounts: { ...record.accounts, [namespace]: address } }))
    return [found, ...listed.filter((one) => one !== found)]
  }

  async function refresh(session: Session): Promise<void> {
    newest += 1
    const number = newest
    await announcement
    const next = await read(session)
    if (number === newest && listeners.size > 0) show(next)
  }

  /** Rule 2. */
  async function showAnnounced(session: Session, announcedAddresses: readonly DescribedAddress[]): Promise<void> {
    stopWaiting()
    newest += 1
    newestAnnouncement += 1
    const number = newestAnnouncement
    const grant = grantsOf(session.namespaces).get(namespace)
    const networkId = grant && networkOf(grant, [records.get(topic).networks[namespace], current?.networkId])
    if (grant === undefined || networkId === undefined) return
    const described = [...announcedAddresses, ...describedIn(session.sessionProperties)]
    const addresses = announcedAddresses.map(({ address }) => address)
    const [active, ...others] = await toAccounts(addresses, { namespace, networkId, described, normalise })
    if (active === undefined || number !== newestAnnouncement) return
    announced = active.address
    show({ networkId, accounts: [active, ...others] })
    stopWaiting = context.clock.after(grantWaitMs, () => void endAnnouncement())
    takeAnnounced(await accountsOf(grant, { namespace, networkId, described, normalise }), active.address)
  }

  async function endAnnouncement(): Promise<void> {
    const session = holder.stored(topic)
    if (session === null || records.get(topic).left.includes(namespace)) return
    await refresh(session)
    announced = null
  }

  function chooseNetwork(networkId: CaipNetworkId): void {
    records.change(topic, (record) => ({ ...record, networks: { ...record.networks, [namespace]: networkId } }))
  }

  function follow(): () => void {
    return holder.listen(topic, (change) => {
      if (records.get(topic).left.includes(namespace)) return
      if (change.kind === 'ended') return emit({ kind: 'disconnected' })
      if (change.kind === 'updated') return void refresh(change.session)
      const event = readSessionEvent(namespace, change.event)
      const session = holder.stored(topic)
      if (event === null || session === null) return
      if (event.kind === 'network') {
        chooseNetwork(event.networkId)
        void refresh(session)
      }
      // If the chunk fails to load, the event is dropped.
      else announcement = showAnnounced(session, event.addresses).catch(() => {})
    })
  }

  return {
    current: () => current,
    async load(session) {
      const number = newest
      const next = await read(session)
      // A later update is already shown.
      if (number === newest) current = next
      return next
    },
    refresh,
    chooseNetwork,
    listen(listener) {
      listeners.add(listener)
      if (listeners.size === 1) stopFollowing = follow()
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        stopFollowing()
        stopWaiting()
      }
    },
  }
}

/** The network comes first. */
export function eventsBetween(before: WalletSession | null, next: WalletSession | null): readonly ConnectorEvent[] {
  if (next === null) return [{ kind: 'disconnected' }]
  const { networkId, accounts } = next
  const events: ConnectorEvent[] = []
  if (networkId !== before?.networkId) events.push({ kind: 'network', networkId })
  if (JSON.stringify(accounts) !== JSON.stringify(before?.accounts)) events.push({ kind: 'accounts', accounts })
  return events
}
