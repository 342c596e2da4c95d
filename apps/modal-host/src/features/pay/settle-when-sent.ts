import type { PaymentRequest } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Host } from '../../snapshot/contract'
import { watchTransaction } from '../transaction/watch'

const transactions = new WeakMap<PaymentRequest, string>()

export function transactionOf(payment: PaymentRequest): string | null {
  return transactions.get(payment) ?? null
}

/**
 * Sends the dapp its receipt once the payment was sent; if the hash never becomes known, reports that it may be paid. A
 * rejection, a failure or a cancellation settles nothing. An ended payment gets no receipt: a late transaction cannot
 * settle another one.
 *
 * @returns a function that stops watching
 */
export function settleWhenSent(
  { store, actions }: Pick<Host, 'store' | 'actions'>,
  id: string,
  payment: PaymentRequest,
): () => void {
  transactions.set(payment, id)
  const { networkId } = payment
  const nothing = () => undefined
  return watchTransaction({ store }, id, (transaction) => {
    if (store.getState().payment !== payment) return nothing
    if (transaction?.status.kind === 'asking') return null
    if (transaction === undefined || !('hash' in transaction.status)) return nothing
    const { from, status } = transaction
    const { hash } = status
    // The hash is the replacement's.
    if (status.kind === 'ended' && (status.outcome.kind === 'cancelled' || status.outcome.kind === 'replaced'))
      return nothing
    if (hash !== null) return () => actions.settlePayment({ networkId, hash, from })
    // An operation or a batch has no hash before its end.
    if (status.kind !== 'ended') return null
    if (status.outcome.kind !== 'unknown') return nothing
    return () => actions.settlePayment(new Failure('TRANSACTION_UNCONFIRMED'))
  })
}
