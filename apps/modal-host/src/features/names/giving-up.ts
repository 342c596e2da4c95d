/** A name on its way back to the registry, while views come and go: a wallet's question comes on top of the list, and gives it back. */
import type { ErrorCode } from '@postern/protocol'
import { asFailure } from '@postern/protocol/wallet-errors'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Host } from '../../snapshot/contract'
import type { MoneyHost } from '../../snapshot/money'
import { perAccount } from '../../view-kit/per-host'
import { lookUpAnew } from './look-up-anew'
import { type Registration, releaseName } from './register'

export type GivingUp =
  | { readonly kind: 'none' }
  /** The owner reads what is lost. */
  | { readonly kind: 'asking'; readonly name: string }
  /** The wallet, then the registry. */
  | { readonly kind: 'signing'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly code: ErrorCode; readonly message: string }
  /** `freeFrom`: when somebody may have it again, epoch milliseconds. */
  | { readonly kind: 'done'; readonly name: string; readonly freeFrom: number }

const none: GivingUp = { kind: 'none' }

const storeOf = perAccount(() => createStore<{ readonly now: GivingUp }>(() => ({ now: none })))

export function givingUpOf(host: Host, address: string): StoreApi<{ readonly now: GivingUp }> {
  return storeOf(host, { namespace: 'eip155', address })
}

/** Once the wallet has the question, only its answer ends it. */
export function askAbout(store: StoreApi<{ readonly now: GivingUp }>, name: string | null): void {
  if (store.getState().now.kind === 'signing') return
  store.setState({ now: name === null ? none : { kind: 'asking', name } })
}

/** Never rejects: the store says how it went. Asks once, however often it is called meanwhile. */
export async function giveUp(
  host: Host,
  registration: Registration,
  money: Pick<MoneyHost, 'request' | 'api' | 'clock' | 'kept'>,
): Promise<void> {
  const { name, address } = registration
  const store = givingUpOf(host, address)
  if (store.getState().now.kind === 'signing') return
  store.setState({ now: { kind: 'signing', name } })
  try {
    const { free_from } = await releaseName(registration, money)
    store.setState({ now: { kind: 'done', name, freeFrom: Date.parse(free_from) } })
  } catch (thrown) {
    const { code, message } = asFailure(thrown)
    store.setState({ now: { kind: 'failed', name, code, message } })
  }
  // Also where it failed: another page of theirs may have been quicker.
  await lookUpAnew(host, money, address)
}
