import { accountKey } from '@postern/chains/account-key'
import {
  isCaipNetworkId,
  limits,
  parseCaipNetworkId,
  type TransactionItem,
  type WaitingTransaction,
} from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { TrackedTransaction } from '../../snapshot/money'
import { factsOfNetwork } from '../../snapshot/namespace-facts'
import { useActions, useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { perHost } from '../../view-kit/loading/per-host'
import { type SpamChoice, useScopes, useSpam } from '../account/account-state'
import { type Scope, scopeKey } from '../portfolio/load-portfolio'
import { type ActivityEntry, entryOf, entryOfTracked } from './describe'
import { createFeed, type Feed, type FeedState } from './feed'
import { type ActivityListRow, groupByDate } from './groups'
import { loadHistory } from './load-history'
import { withWaiting } from './waiting'

export type ShownActivity = {
  readonly lines: readonly ActivityListRow[]
  readonly newest: FeedState['newest']
  readonly older: FeedState['older']
  readonly hidden: number
  readonly spam: SpamChoice
  /** Epoch ms. */
  readonly failedAt: number
  refresh(): void
  more(): void
}

/** Per host, so that the list shows again at once. */
const feedsOf = perHost(() => new Map<string, Feed>())
const remembered = 4

export function useActivity(): ShownActivity {
  const feed = useFeed()
  const { scopes } = useScopes()
  const spam = useSpam('activity')
  const { isShown } = spam
  const state = useSyncExternalStore(feed.subscribe, feed.state)
  const transactions = useSnapshot((snapshot) => snapshot.transactions)
  const open = useSnapshot((snapshot) => snapshot.open)
  const moves = useSnapshot((snapshot) => snapshot.moves)
  useEffect(() => (open ? feed.watch(moves) : undefined), [feed, open, moves])

  const allWaiting = useWaiting(scopes)
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const accountKeys = scopes.flatMap(accountsOf).join(' ')
  const entries = useMemo(() => {
    const accounts = new Set(accountKeys.split(' '))
    const listed = state.items.map(described)
    const hashes = new Set(listed.map(({ hash }) => hash?.toLowerCase()))
    const ownTransactions = transactions.filter((transaction) => accounts.has(senderOf(transaction)))
    const unlisted = ownTransactions
      .flatMap((transaction) => entryOfTracked(transaction) ?? [])
      .filter(({ hash }) => hash === null || !hashes.has(hash.toLowerCase()))
    const waiting = allWaiting.filter((one) => accounts.has(senderOf(one)))
    return withWaiting([...unlisted, ...listed], waiting, networks)
  }, [state.items, transactions, allWaiting, accountKeys, networks])
  const shown = useMemo(() => (isShown ? entries : entries.filter(({ isSpam }) => !isSpam)), [entries, isShown])
  const lines = useMemo(() => groupByDate(shown, Date.now()), [shown])
  return {
    lines,
    newest: state.newest,
    older: state.older,
    hidden: entries.length - shown.length,
    spam,
    failedAt: state.failedAt,
    refresh: feed.refresh,
    more: feed.more,
  }
}

const maxNetworks = 64

/** The embedded wallet's transactions in no block, read again while Activity shows. */
function useWaiting(scopes: readonly Scope[]): readonly WaitingTransaction[] {
  const { clock } = useMoney()
  const { refreshWaiting } = useActions()
  const isOwn = useSnapshot((snapshot) => snapshot.open && snapshot.embedded !== null)
  const waiting = useSnapshot((snapshot) => snapshot.waiting)
  const ids = scopes.flatMap(({ networks }) => networks.map(({ caipNetworkId }) => caipNetworkId))
  const key = ids.filter((id) => factsOfNetwork(id).sentCanWait).join(' ')
  useEffect(() => {
    if (!isOwn || key === '') return
    let stopTimer = () => {}
    const read = () => {
      refreshWaiting(key.split(' ').filter(isCaipNetworkId).slice(0, maxNetworks))
      stopTimer = clock.after(limits.rpcPollingInterval, read)
    }
    read()
    return () => stopTimer()
  }, [isOwn, key, clock, refreshWaiting])
  return waiting
}

function accountsOf({ address, networks }: Scope): readonly string[] {
  return networks.map(({ caipNetworkId }) => senderOf({ networkId: caipNetworkId, from: address }))
}

function senderOf({ networkId, from }: Pick<TrackedTransaction, 'networkId' | 'from'>): string {
  return `${networkId}:${accountKey({ namespace: parseCaipNetworkId(networkId).namespace, address: from })}`
}

const entriesOfItems = new WeakMap<TransactionItem, ActivityEntry>()

/** Cached, because a page may have thousands. */
function described(item: TransactionItem): ActivityEntry {
  const cached = entriesOfItems.get(item)
  if (cached !== undefined) return cached
  const entry = entryOf(item)
  entriesOfItems.set(item, entry)
  return entry
}

function useFeed(): Feed {
  const t = useText()
  const host = useHost()
  const money = useMoney()
  const { notify } = useActions()
  const { scopes } = useScopes()
  const key = scopes.map(scopeKey).join(' ')
  const accounts = new Set(scopes.flatMap(accountsOf))
  const known = feedsOf(host)
  const found = known.get(key)
  if (found !== undefined) return found
  const feed = createFeed({
    load: (cursor, signal) => loadHistory(money.api, scopes, cursor, signal),
    clock: money.clock,
    isAwaited: () =>
      host.store.getState().transactions.some((sent) => sent.status.kind === 'sent' && accounts.has(senderOf(sent))),
    onFailure: () => notify(t('activity.failed'), 'bad'),
  })
  const [oldest] = known.keys()
  if (known.size >= remembered && oldest !== undefined) known.delete(oldest)
  known.set(key, feed)
  return feed
}
