/** State for this page's origin. */
import { type Hex, isAddressEqual, type LocalAccount, numberToHex } from 'viem'
import type { EventEmitter } from './event-emitter'
import type { EvmWalletOptions, WalletNetwork } from './options'
import { gone, ProviderRpcError, unknownChain } from './rpc-error'
import { initialState, parseState, type WalletState } from './state'

export type EvmStore = {
  state(): WalletState
  update(change: Partial<WalletState>): void
  /** Takes the state of another tab. */
  adopt(stored: string | null): void
  /** Default: the active account. */
  account(index?: number): LocalAccount
  /** Empty without permission, or while the wallet is locked. */
  visibleAccounts(): readonly Hex[]
  accountOf(address: Hex): LocalAccount | undefined
  /** Default: the active network. Throws 4902 if the wallet does not have it. */
  network(chainId?: number): WalletNetwork
  /** Called after each change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** Nothing changes after it aborts. */
  readonly vanished: AbortSignal
  vanish(): void
}

/** @param storage survives reloads; may throw. */
export function createEvmStore({
  options,
  accountAt,
  storage,
  events,
}: {
  readonly options: EvmWalletOptions
  /** Called once for each index. */
  readonly accountAt: (index: number) => LocalAccount
  readonly storage: { read(): string | null; write(value: string): void }
  readonly events: Pick<EventEmitter, 'emit'>
}): EvmStore {
  const vanishing = new AbortController()
  const subscribers = new Set<() => void>()
  const accounts = new Map<number, LocalAccount>()
  let state = restore() ?? initialState(options)

  function restore(): WalletState | null {
    try {
      return parseState(storage.read())
    } catch {
      return null
    }
  }

  /** Takes 30 ms for an account of a mnemonic. */
  function account(index = state.account) {
    const cached = accounts.get(index)
    if (cached !== undefined) return cached
    const derived = accountAt(index)
    accounts.set(index, derived)
    return derived
  }

  const visibleAccounts = (of: WalletState): readonly Hex[] => {
    if (!of.permitted || of.locked) return []
    const others = options.others.filter((index) => index !== of.account)
    return [of.account, ...others].map((index) => account(index).address)
  }

  function accountOf(address: Hex) {
    const at = visibleAccounts(state).findIndex((visible) => isAddressEqual(visible, address))
    if (at === -1) return undefined
    const others = options.others.filter((index) => index !== state.account)
    return account([state.account, ...others][at])
  }

  function update(change: Partial<WalletState>) {
    if (vanishing.signal.aborted) return
    become({ ...state, ...change })
    try {
      storage.write(JSON.stringify(state))
    } catch {
      // The wallet then lasts until the next reload.
    }
  }

  function become(next: WalletState) {
    const before = state
    state = next
    const shown = visibleAccounts(next)
    if (visibleAccounts(before).join() !== shown.join()) events.emit('accountsChanged', [...shown])
    if (before.chainId !== next.chainId) events.emit('chainChanged', numberToHex(next.chainId))
    notify()
  }

  function notify() {
    for (const listener of [...subscribers]) listener()
  }

  return {
    state: () => state,
    update,
    adopt(stored) {
      const other = parseState(stored)
      if (other !== null && !vanishing.signal.aborted) become(other)
    },
    account,
    visibleAccounts: () => visibleAccounts(state),
    accountOf,
    network(chainId = state.chainId) {
      const known = state.networks.find((candidate) => candidate.chainId === chainId)
      if (known === undefined) throw unknownChain(chainId)
      return known
    },
    subscribe(listener) {
      subscribers.add(listener)
      return () => subscribers.delete(listener)
    },
    vanished: vanishing.signal,
    vanish() {
      if (vanishing.signal.aborted) return
      vanishing.abort(gone())
      events.emit('disconnect', new ProviderRpcError(4900, 'The wallet is no longer there.'))
      notify()
    },
  }
}
