/** The state outlives its view, which a wallet prompt may cover. */
import type { ErrorCode } from '@postern/protocol'
import { asFailure } from '@postern/protocol/wallet-errors'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Host } from '../../snapshot/contract'
import type { MoneyHost } from '../../snapshot/money'
import { perAccount } from '../../view-kit/loading/per-host'
import { refreshNames } from './refresh-names'
import { type Registration, releaseName } from './register'

export type NameRelease =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking'; readonly name: string }
  | { readonly kind: 'signing'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly code: ErrorCode; readonly message: string }
  /** `freeFrom`: when others may register it, in epoch ms. */
  | { readonly kind: 'done'; readonly name: string; readonly freeFrom: number }

const none: NameRelease = { kind: 'none' }

const storeOf = perAccount(() => createStore<{ readonly now: NameRelease }>(() => ({ now: none })))

export function nameReleaseOf(host: Host, address: string): StoreApi<{ readonly now: NameRelease }> {
  return storeOf(host, { namespace: 'eip155', address })
}

/** Once the wallet has the request, only its response ends it. */
export function confirmRelease(store: StoreApi<{ readonly now: NameRelease }>, name: string | null): void {
  if (store.getState().now.kind === 'signing') return
  store.setState({ now: name === null ? none : { kind: 'asking', name } })
}

/** Never rejects: the store has the result. Ignored while pending. */
export async function release(
  host: Host,
  registration: Registration,
  money: Pick<MoneyHost, 'request' | 'api' | 'clock' | 'kept'>,
): Promise<void> {
  const { name, address } = registration
  const store = nameReleaseOf(host, address)
  if (store.getState().now.kind === 'signing') return
  store.setState({ now: { kind: 'signing', name } })
  try {
    const { free_from } = await releaseName(registration, money)
    store.setState({ now: { kind: 'done', name, freeFrom: Date.parse(free_from) } })
  } catch (thrown) {
    const { code, message } = asFailure(thrown)
    store.setState({ now: { kind: 'failed', name, code, message } })
  }
  // Also after a failure: another page may already have released the name.
  await refreshNames(host, money, address)
}
