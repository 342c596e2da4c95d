/** How far a transaction of a feature has come, now and later. */
import type { Host, HostSnapshot } from '../../snapshot/contract'
import type { TrackedTransaction } from '../../snapshot/money'

type Status = TrackedTransaction['status']

/** The wallet has not answered, it was sent, or nothing was. */
export function stateOfSent(
  { transactions }: Pick<HostSnapshot, 'transactions'>,
  id: string | null,
): 'none' | 'asking' | 'went' {
  const status = transactions.find((one) => one.id === id)?.status.kind
  if (status === undefined || status === 'declined' || status === 'failed') return 'none'
  return status === 'asking' ? 'asking' : 'went'
}

/** The chain did what was asked for; with another fee is the same. */
export function isCarriedOut(status: Status | undefined): boolean {
  return status?.kind === 'ended' && (status.outcome.kind === 'confirmed' || status.outcome.kind === 'repriced')
}

/**
 * Looks at a transaction now and with every change, until `endOf` gives what is to be done then. That is done once. Undefined: nobody remembers it.
 *
 * @returns What ends the watch.
 */
export function watchTransaction(
  { store }: Pick<Host, 'store'>,
  id: string,
  endOf: (transaction: TrackedTransaction | undefined) => (() => void) | null,
): () => void {
  const look = () => {
    const end = endOf(store.getState().transactions.find((one) => one.id === id))
    if (end === null) return
    stop()
    end()
  }
  const stop = store.subscribe(look)
  look()
  return stop
}

/** Once a wallet has sent it. After a no, or a failure, never: what was only asked for did not happen. */
export function whenSent(host: Pick<Host, 'store'>, id: string, then: () => void): () => void {
  return watchTransaction(host, id, (transaction) => {
    const kind = transaction?.status.kind
    if (kind === 'asking') return null
    return kind === 'sent' || kind === 'ended' ? then : () => undefined
  })
}
