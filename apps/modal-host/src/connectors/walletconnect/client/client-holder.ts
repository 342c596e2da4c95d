import { SessionEvent } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { OnPageReturn } from '../../../services/page-return'
import type { HostStorage } from '../../../services/storage'
import { type Client, type ClientOptions, closeClient, openClient, type Session } from './client'
import { type EarlierRequests, followEarlierRequests } from './earlier-requests'
import { reconnect } from './relay-connection'
import type { RelayWatch } from './relay-status'
import { readStored } from './storage'

export type SessionChange =
  | { readonly kind: 'ended' }
  | { readonly kind: 'updated'; readonly session: Session }
  | { readonly kind: 'event'; readonly event: SessionEvent }

export type ClientHolder = {
  /** Starts the library once; retries after a failed start. */
  open(): Promise<Client>
  /** Also imports a session that another tab created later. */
  openFor(topic: string): Promise<Client>
  /** See `EarlierRequests`. */
  takeEarlier: EarlierRequests['take']
  leaveRequest: EarlierRequests['leave']
  /** Reads storage, without the library; null if deleted or expired. */
  stored(topic: string): Session | null
  listen(topic: string, listener: (change: SessionChange) => void): () => void
  announceEnd(topic: string): void
  end(): void
}

export type ClientHolderOptions = ClientOptions & {
  readonly hostStorage: HostStorage
  readonly now: () => number
  readonly watch: RelayWatch
  readonly onPageReturn: OnPageReturn
  readonly onStart: (client: Client) => void
}

/** The library's storage keys. */
const sessionsKey = 'wc@2:client:0.3//session'
const subscriptionsKey = 'wc@2:core:0.3//subscription'
const keysKey = 'wc@2:core:0.3//keychain'

export function createClientHolder(options: ClientHolderOptions): ClientHolder {
  const listeners = new Map<string, Set<(change: SessionChange) => void>>()
  let opening: Promise<Client> | null = null
  let running: Client | null = null
  let earlier: EarlierRequests | null = null
  let unfollow = () => {}
  let stopReturns = () => {}
  let isEnded = false

  function emit(topic: string, change: SessionChange): void {
    for (const listener of [...(listeners.get(topic) ?? [])]) listener(change)
  }

  async function start(): Promise<Client> {
    const client = await openClient(options)
    if (isEnded) {
      await closeClient(client)
      throw new Failure('DISCONNECTED')
    }
    running = client
    earlier = followEarlierRequests(client, options.now)
    unfollow = options.watch.follow(client)
    stopReturns = options.onPageReturn(() => reconnect(client.core, options.watch))
    client.on('session_delete', ({ topic }) => emit(topic, { kind: 'ended' }))
    client.on('session_expire', ({ topic }) => emit(topic, { kind: 'ended' }))
    client.on('session_update', ({ topic }) => {
      if (client.session.keys.includes(topic)) emit(topic, { kind: 'updated', session: client.session.get(topic) })
    })
    client.on('session_event', (raw) => {
      const parsed = SessionEvent.safeParse(raw)
      if (parsed.success) emit(parsed.data.topic, { kind: 'event', event: parsed.data })
    })
    subscribeToSessions(client)
    options.onStart(client)
    return client
  }

  /** The library resubscribes to its stored topics: a session without a subscription would never get an answer. */
  function subscribeToSessions({ session, core }: Client): void {
    const stored: unknown = readStored(options.hostStorage, subscriptionsKey)
    const subscriptions: readonly { readonly topic: string }[] = Array.isArray(stored) ? stored : []
    for (const { topic } of session.getAll())
      if (subscriptions.every((one) => one.topic !== topic)) core.relayer.subscribe(topic).catch(() => {})
  }

  function open(): Promise<Client> {
    if (isEnded) return Promise.reject(new Failure('DISCONNECTED'))
    if (opening === null) {
      const started = start()
      opening = started
      started.catch(() => {
        if (opening === started) opening = null
      })
    }
    return opening
  }

  function stored(topic: string): Session | null {
    const sessions = readStored(options.hostStorage, sessionsKey)
    if (!Array.isArray(sessions)) return null
    const found: Session | undefined = sessions.find((session: Session) => session.topic === topic)
    return found === undefined || found.expiry * 1000 <= options.now() ? null : found
  }

  /** As the library does when it starts. A session without its key is ignored. */
  async function importSession(client: Client, session: Session): Promise<void> {
    const { topic, expiry } = session
    const keys = readStored(options.hostStorage, keysKey)
    const key: unknown = typeof keys === 'object' && keys !== null ? Reflect.get(keys, topic) : undefined
    if (typeof key !== 'string') return
    await client.core.crypto.setSymKey(key, topic)
    await client.session.set(topic, session)
    client.core.expirer.set(topic, expiry)
    // While offline the library subscribes later; messages wait at the relay.
    client.core.relayer.subscribe(topic).catch(() => {})
  }

  return {
    open,
    stored,

    async openFor(topic) {
      const client = await open()
      const session = stored(topic)
      if (session !== null && !client.session.keys.includes(topic)) await importSession(client, session)
      return client
    },

    takeEarlier: (request) => earlier?.take(request) ?? null,

    leaveRequest: (request, answer) => earlier?.leave(request, answer),

    listen(topic, listener) {
      const topicListeners = listeners.get(topic) ?? new Set()
      listeners.set(topic, topicListeners)
      topicListeners.add(listener)
      return () => {
        topicListeners.delete(listener)
        if (topicListeners.size === 0 && listeners.get(topic) === topicListeners) listeners.delete(topic)
      }
    },

    announceEnd: (topic) => emit(topic, { kind: 'ended' }),

    end() {
      isEnded = true
      listeners.clear()
      unfollow()
      stopReturns()
      if (running !== null) void closeClient(running)
    },
  }
}
