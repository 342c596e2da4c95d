import type { Clock } from '@postern/base/clock'
import type { Namespace, PageWallet } from '@postern/protocol'
import { stableIdOf, type WalletEvent } from './connector'

export type PageWallets = {
  list(): readonly PageWallet[]
  /** Undefined also if several wallets have the id: the user may mean any of them. */
  find(namespace: Namespace, stableId: string): PageWallet | undefined
  /** Undefined after `milliseconds` or when the signal aborts. */
  waitFor(
    wallet: { namespace: Namespace; stableId: string },
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<PageWallet | undefined>
  subscribe(listener: () => void): () => void
  onEvent(listener: (event: WalletEvent) => void): () => void
  replace(wallets: readonly PageWallet[]): void
  dispatch(event: WalletEvent): void
}

/** Discovery never ends: wallets appear late, and disappear. */
export function createPageWallets(clock: Clock): PageWallets {
  let wallets: readonly PageWallet[] = []
  const listeners = new Set<() => void>()
  const eventListeners = new Set<(event: WalletEvent) => void>()

  const find: PageWallets['find'] = (namespace, stableId) => {
    const [wallet, other] = wallets.filter((one) => one.namespace === namespace && stableIdOf(one) === stableId)
    return other === undefined ? wallet : undefined
  }

  return {
    list: () => wallets,
    find,
    waitFor({ namespace, stableId }, milliseconds, signal) {
      return new Promise((resolve) => {
        const settle = (wallet: PageWallet | undefined) => {
          stopTimer()
          listeners.delete(look)
          signal.removeEventListener('abort', giveUp)
          resolve(wallet)
        }
        const look = () => {
          const wallet = find(namespace, stableId)
          if (wallet !== undefined) settle(wallet)
        }
        const giveUp = () => settle(undefined)
        const stopTimer = clock.after(milliseconds, giveUp)
        listeners.add(look)
        signal.addEventListener('abort', giveUp, { once: true })
        if (signal.aborted) giveUp()
        else look()
      })
    },
    subscribe: (listener) => add(listeners, listener),
    onEvent: (listener) => add(eventListeners, listener),
    replace(next) {
      wallets = next
      for (const listener of [...listeners]) listener()
    },
    dispatch(event) {
      for (const listener of [...eventListeners]) listener(event)
    },
  }
}

function add<T>(set: Set<T>, member: T): () => void {
  set.add(member)
  return () => {
    set.delete(member)
  }
}
