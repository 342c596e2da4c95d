import type { Clock } from '@postern/base/clock'
import { limits, type TransactionItem } from '@postern/protocol'
import type { HistoryCursor, HistoryPage } from './load-history'

export type FeedState = {
  readonly items: readonly TransactionItem[]
  /** `failed` with items: the list is outdated. */
  readonly newest: 'loading' | 'ready' | 'failed'
  readonly older: 'idle' | 'loading' | 'failed' | 'none'
  /** Epoch ms. */
  readonly failedAt: number
}

export type FeedOptions = {
  readonly load: (cursor: HistoryCursor | null, signal: AbortSignal) => Promise<HistoryPage>
  readonly clock: Clock
  /** The history may lack a transaction that was just sent. */
  readonly isAwaited: () => boolean
  readonly onFailure: () => void
}

export type Feed = {
  state(): FeedState
  subscribe(listener: () => void): () => void
  /** `version` changes when money moves. */
  watch(version: number): () => void
  refresh(): void
  more(): void
}

/**
 * The activity read so far.
 *
 * 1. While watched, the newest page reloads if it is older than 30 s or if money moved, and every 30 s while something
 *    is pending or awaited, at most 99 times (spec §9).
 * 2. Each item appears once, in its newest version.
 * 3. `more` loads the next older page, one at a time, or retries a failed one.
 * 4. If the newest page shares no item with the list and has more pages, the list restarts: there is a gap.
 * 5. A failure is reported once. The newest page then does not reload for 30 s, except by `refresh`.
 */
export function createFeed({ load, clock, isAwaited, onFailure }: FeedOptions): Feed {
  let state: FeedState = { items: [], newest: 'loading', older: 'idle', failedAt: 0 }
  let next: HistoryCursor | null = null
  let readAt = Number.NEGATIVE_INFINITY
  let readVersion: number | null = null
  let looks = 0
  let watchers = 0
  let reading: AbortController | null = null
  let readingOlder: AbortController | null = null
  let stopTimer = () => {}
  const listeners = new Set<() => void>()

  function set(change: Partial<FeedState>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  async function read(): Promise<void> {
    reading?.abort()
    const controller = new AbortController()
    reading = controller
    readAt = clock.now()
    if (state.items.length === 0 && state.newest !== 'loading') set({ newest: 'loading' })
    try {
      const page = await load(null, controller.signal)
      if (controller.signal.aborted) return
      take(page)
    } catch {
      if (controller.signal.aborted) return
      set({ newest: 'failed', failedAt: clock.now() })
      onFailure()
    } finally {
      if (reading === controller) reading = null
    }
  }

  function take(page: HistoryPage): void {
    const fresh = new Map(page.items.map((item) => [item.id, item]))
    const isJoined = state.items.some(({ id }) => fresh.has(id))
    if (state.items.length === 0 || (!isJoined && page.next !== null)) {
      readingOlder?.abort()
      next = page.next
      set({ items: [...fresh.values()], newest: 'ready', older: next === null ? 'none' : 'idle' })
      return
    }
    set({ items: [...fresh.values(), ...state.items.filter(({ id }) => !fresh.has(id))], newest: 'ready' })
  }

  async function readOlder(cursor: HistoryCursor): Promise<void> {
    const controller = new AbortController()
    readingOlder = controller
    set({ older: 'loading' })
    try {
      const page = await load(cursor, controller.signal)
      if (controller.signal.aborted) return
      next = page.next
      const knownIds = new Set(state.items.map(({ id }) => id))
      const added = page.items.filter(({ id }) => !knownIds.has(id))
      set({ items: [...state.items, ...added], older: next === null ? 'none' : 'idle' })
    } catch {
      if (controller.signal.aborted) return
      set({ older: 'failed' })
      onFailure()
    } finally {
      if (readingOlder === controller) readingOlder = null
    }
  }

  function poll(): void {
    stopTimer = clock.after(limits.pendingTransactionPollingInterval, poll)
    const isPending = isAwaited() || state.items.some(({ metadata }) => metadata.status === 'pending')
    if (!isPending || looks >= limits.pendingTransactionEvents) return
    looks += 1
    void read()
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    watch(version) {
      watchers += 1
      const isOld = clock.now() - readAt >= limits.pendingTransactionPollingInterval
      if (isOld || version !== readVersion) {
        readVersion = version
        void read()
      }
      if (watchers === 1) {
        looks = 0
        stopTimer = clock.after(limits.pendingTransactionPollingInterval, poll)
      }
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        watchers -= 1
        if (watchers > 0) return
        stopTimer()
        if (reading !== null) readAt = Number.NEGATIVE_INFINITY
        reading?.abort()
        readingOlder?.abort()
        if (state.older === 'loading') set({ older: 'idle' })
      }
    },
    refresh: () => void read(),
    more() {
      if (next !== null && readingOlder === null && state.older !== 'none') void readOlder(next)
    },
  }
}
