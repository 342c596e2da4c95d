import type { Clock } from '@postern/base/clock'
import type { ChainAdapter } from '@postern/chains/adapter'
import type { ChainClient } from '@postern/chains/chain-client'
import { formatUnits } from '@postern/chains/format'
import { type CaipNetworkId, limits, type Namespace, type Network } from '@postern/protocol'
import type { HostSnapshot, NativeBalance } from '../snapshot/contract'
import type { SnapshotStore } from '../snapshot/store'
import { type BalanceMemory, cacheBalance, cachedBalance } from './cached-balance'

export type BalanceWatch = { refresh(): void; end(): void }

export type BalanceOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly loadAdapter: (namespace: Namespace) => Promise<ChainAdapter>
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly memory: BalanceMemory
}

type Subject = { readonly key: string; readonly address: string; readonly network: Network | undefined }

/**
 * The native balance of the active account.
 *
 * 1. Fetched on start, when the account or its network changes, when the modal opens, and on `refresh`, which bypasses
 *    the cache of 30 s (spec §9).
 * 2. Test networks and unconfigured networks show '0.00' without a request (spec §9).
 * 3. A known amount stays visible during a fetch; only a new account or network shows loading.
 * 4. A late response for an earlier account or network is dropped.
 */
export function createBalanceWatch({ store, clock, loadAdapter, clientOf, memory }: BalanceOptions): BalanceWatch {
  const cache = new Map<string, { at: number; balance: NativeBalance }>()
  let current: Subject | null = null
  let controller: AbortController | null = null

  function onSnapshot(snapshot: HostSnapshot, before: HostSnapshot): void {
    const subject = subjectOf(store)
    const isOpened = snapshot.open && !before.open
    if (subject?.key === current?.key && !isOpened) return
    current = subject
    controller?.abort()
    if (subject !== null) void load(subject)
  }

  async function load(subject: Subject): Promise<void> {
    const { network, address, key } = subject
    if (network === undefined || network.testnet)
      return show({ kind: 'ready', formatted: limits.noBalance, symbol: network?.nativeCurrency.symbol ?? '' })
    const cached = cache.get(key) ?? known(key)
    if (cached !== undefined) show(cached.balance)
    if (cached !== undefined && clock.now() - cached.at < limits.nativeBalanceCache) return
    if (cached === undefined) show({ kind: 'loading' })
    controller = new AbortController()
    const { signal } = controller
    try {
      const adapter = await loadAdapter(network.chainNamespace)
      const amount = await adapter.nativeBalance(clientOf(network.caipNetworkId), address, signal)
      const { decimals, symbol } = network.nativeCurrency
      const at = clock.now()
      const formatted = formatUnits(amount, decimals, limits.balanceDecimals)
      const balance: NativeBalance = { kind: 'ready', formatted, symbol }
      cache.set(key, { at, balance })
      cacheBalance(memory, key, { at, formatted, symbol })
      if (!signal.aborted) show(balance)
    } catch {
      if (!signal.aborted) show({ kind: 'failed' })
    }
  }

  function known(key: string) {
    const cached = cachedBalance(memory, clock, key)
    if (cached === null) return undefined
    const { at, formatted, symbol } = cached
    const entry = { at, balance: { kind: 'ready', formatted, symbol } as const }
    cache.set(key, entry)
    return entry
  }

  function show(nativeBalance: NativeBalance): void {
    store.setState({ nativeBalance })
  }

  const stop = store.subscribe(onSnapshot)
  current = subjectOf(store)
  if (current !== null) void load(current)
  return {
    refresh() {
      store.setState(({ moves }) => ({ moves: moves + 1 }))
      if (current === null) return
      const cached = cache.get(current.key)
      if (cached !== undefined) cache.set(current.key, { ...cached, at: Number.NEGATIVE_INFINITY })
      controller?.abort()
      void load(current)
    },
    end() {
      stop()
      controller?.abort()
    },
  }
}

function subjectOf(store: SnapshotStore): Subject | null {
  const { connections, networks, activeNetworkId } = store.getState()
  const connection = Object.values(connections).find(
    (candidate) => candidate?.status === 'connected' && candidate.networkId === activeNetworkId,
  )
  if (connection?.status !== 'connected') return null
  const address = connection.accounts[0]?.address
  if (address === undefined) return null
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === connection.networkId)
  return { key: `${connection.networkId}:${address}`, address, network }
}
