import { SessionEvent } from '@postern/protocol'
import { LinkFailure } from '../../link/failure'
import type { HostStorage } from '../../services/storage'
import { type Client, type ClientOptions, closeClient, openClient, type Session } from './client'
import type { RelayWatch } from './relay-status'
import { readStored } from './storage'

export type SessionChange =
  /** Deleted by the wallet or here, or expired. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'updated'; readonly session: Session }
  | { readonly kind: 'event'; readonly event: SessionEvent }

export type ClientHolder = {
  /** Loads and starts the library on first use. A start that failed is tried again by the next call. */
  open(): Promise<Client>
  /** The client for one session: started anew when another tab made the session after this one had started. */
  openFor(topic: string): Promise<Client>
  /** The session as it is stored now, by whichever tab: it answers without the library. Null when it is gone or expired. */
  stored(topic: string): Session | null
  /** What happens to one session. Changes of other sessions are not heard. */
  listen(topic: string, listener: (change: SessionChange) => void): () => void
  /** Tells this session's listeners that it has ended, here and now. */
  announceEnd(topic: string): void
  /** While this runs the client is not started anew. */
  hold<T>(work: Promise<T>): Promise<T>
  end(): void
}

export type ClientHolderOptions = ClientOptions & {
  readonly hostStorage: HostStorage
  readonly now: () => number
  readonly watch: RelayWatch
  readonly onStart: (client: Client) => void
  /** The client is to be another one: what waits for an answer at this one waits in vain. */
  readonly onRestart: () => void
}

/** The library's own name of its list of sessions. */
const sessionsKey = 'wc@2:client:0.3//session'

/** The one client of this frame, and what its sessions tell. */
export function createClientHolder(options: ClientHolderOptions): ClientHolder {
  const listeners = new Map<string, Set<(change: SessionChange) => void>>()
  let opening: Promise<Client> | null = null
  let running: Client | null = null
  let unfollow = () => {}
  let held = 0
  let isEnded = false

  function tell(topic: string, change: SessionChange): void {
    for (const listener of [...(listeners.get(topic) ?? [])]) listener(change)
  }

  async function start(): Promise<Client> {
    const client = await openClient(options)
    if (isEnded) {
      await closeClient(client)
      throw new LinkFailure('DISCONNECTED')
    }
    running = client
    unfollow = options.watch.follow(client)
    client.on('session_delete', ({ topic }) => tell(topic, { kind: 'ended' }))
    client.on('session_expire', ({ topic }) => tell(topic, { kind: 'ended' }))
    client.on('session_update', ({ topic }) => {
      if (client.session.keys.includes(topic)) tell(topic, { kind: 'updated', session: client.session.get(topic) })
    })
    client.on('session_event', (raw) => {
      const parsed = SessionEvent.safeParse(raw)
      if (parsed.success) tell(parsed.data.topic, { kind: 'event', event: parsed.data })
    })
    options.onStart(client)
    return client
  }

  function open(): Promise<Client> {
    if (isEnded) return Promise.reject(new LinkFailure('DISCONNECTED'))
    if (opening === null) {
      const started = start()
      opening = started
      started.catch(() => {
        if (opening === started) opening = null
      })
    }
    return opening
  }

  async function close(): Promise<void> {
    const client = running
    running = null
    opening = null
    unfollow()
    if (client !== null) await closeClient(client)
  }

  function stored(topic: string): Session | null {
    const sessions = readStored(options.hostStorage, sessionsKey)
    if (!Array.isArray(sessions)) return null
    const found = sessions.find((session: unknown): session is Session => isSession(session) && session.topic === topic)
    return found === undefined || found.expiry * 1000 <= options.now() ? null : found
  }

  return {
    open,
    stored,

    async openFor(topic) {
      const client = await open()
      if (client.session.keys.includes(topic)) return client
      if (stored(topic) === null || held > 0) return client
      // Of several that ask for it one starts it anew.
      if (running === client) {
        options.onRestart()
        await close()
      }
      return open()
    },

    listen(topic, listener) {
      const mine = listeners.get(topic) ?? new Set()
      listeners.set(topic, mine)
      mine.add(listener)
      return () => {
        mine.delete(listener)
        if (mine.size === 0 && listeners.get(topic) === mine) listeners.delete(topic)
      }
    },

    announceEnd: (topic) => tell(topic, { kind: 'ended' }),

    async hold(work) {
      held += 1
      try {
        return await work
      } finally {
        held -= 1
      }
    },

    end() {
      isEnded = true
      listeners.clear()
      void close()
    },
  }
}

/** As much of a stored session as is read of it here; the library wrote it, and checks the rest when it restores it. */
function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false
  const { topic, expiry, namespaces, peer }: Partial<Record<keyof Session, unknown>> = value
  return (
    typeof topic === 'string' &&
    typeof expiry === 'number' &&
    typeof namespaces === 'object' &&
    typeof peer === 'object'
  )
}
