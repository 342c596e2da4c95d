/**
 * Who caused a wallet request of the modal: the visitor, or the dapp through a view. The dapp's own requests have none.
 */
export type Asker = 'visitor' | 'dapp'

/** By the request's signal, which a page can neither name nor copy. */
const askers = new WeakMap<AbortSignal, Asker>()

export function markAsker(signal: AbortSignal, asker: Asker): AbortSignal {
  askers.set(signal, asker)
  return signal
}

export function askerOf(signal: AbortSignal): Asker | null {
  return askers.get(signal) ?? null
}
