/** Who is behind a request to a wallet that the modal itself makes: the visitor, or the dapp by way of a view. Requests of a dapp's own are not in here. */
export type Asker = 'visitor' | 'dapp'

/** By the signal that goes with the request all the way: nothing that a page can name or copy. */
const askers = new WeakMap<AbortSignal, Asker>()

export function markAsker(signal: AbortSignal, asker: Asker): AbortSignal {
  askers.set(signal, asker)
  return signal
}

export function askerOf(signal: AbortSignal): Asker | null {
  return askers.get(signal) ?? null
}
