import type { Host, HostSnapshot } from '../../snapshot/contract'
import type { TrackedTransaction } from '../../snapshot/money'

type Status = TrackedTransaction['status']

/** `asking`: no response yet; `went`: sent; `none`: nothing was sent. */
export function stateOfSent(
  { transactions }: Pick<HostSnapshot, 'transactions'>,
  id: string | null,
): 'none' | 'asking' | 'went' {
  const status = transactions.find((one) => one.id === id)?.status.kind
  if (status === undefined || status === 'declined' || status === 'failed') return 'none'
  return status === 'asking' ? 'asking' : 'went'
}

/** Executed, possibly repriced. */
export function isCarriedOut(status: Status | undefined): boolean {
  return status?.kind === 'ended' && (status.outcome.kind === 'confirmed' || status.outcome.kind === 'repriced')
}

/**
 * Calls `endOf` now and on every change until it returns a callback, which then runs once. Undefined: no longer
 * tracked.
 *
 * @returns a function that stops watching
 */
export function watchTransaction(
  { store }: Pick<Host, 'store'>,
  id: string,
  endOf: (transaction: TrackedTransaction | undefined) => (() => void) | null,
): () => void {
  const check = () => {
    const end = endOf(store.getState().transactions.find((one) => one.id === id))
    if (end === null) return
    stop()
    end()
  }
  const stop = store.subscribe(check)
  check()
  return stop
}

/** Never called after a rejection or failure. */
export function whenSent(host: Pick<Host, 'store'>, id: string, then: () => void): () => void {
  return watchTransaction(host, id, (transaction) => {
    const kind = transaction?.status.kind
    if (kind === 'asking') return null
    return kind === 'sent' || kind === 'ended' ? then : () => undefined
  })
}
