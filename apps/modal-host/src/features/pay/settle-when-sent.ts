import type { PaymentRequest } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Host } from '../../snapshot/contract'
import { watchTransaction } from '../transaction/watch'

/** Each payment is an object of its own: the transaction that a wallet was asked for last, for it. */
const asked = new WeakMap<PaymentRequest, string>()

export function transactionOf(payment: PaymentRequest): string | null {
  return asked.get(payment) ?? null
}

/**
 * Gives the dapp its receipt once the wallet has sent it, whatever view is on show by then; where nobody ever said what it was sent as, that it may be paid. A no, or
 * a failure, is no answer: the visitor may try again. A payment
 * that is over has none: what is sent for it late is no receipt of another one that the dapp has asked for meanwhile.
 *
 * @returns What ends the watch.
 */
export function settleWhenSent(
  { store, actions }: Pick<Host, 'store' | 'actions'>,
  id: string,
  payment: PaymentRequest,
): () => void {
  asked.set(payment, id)
  const { networkId } = payment
  const nothing = () => undefined
  return watchTransaction({ store }, id, (transaction) => {
    if (store.getState().payment !== payment) return nothing
    if (transaction?.status.kind === 'asking') return null
    if (transaction === undefined || !('hash' in transaction.status)) return nothing
    const { from, status } = transaction
    const { hash } = status
    if (hash !== null) return () => actions.settlePayment({ networkId, hash, from })
    // Of an operation, and of several calls together, the hash comes when they are carried out.
    if (status.kind !== 'ended') return null
    if (status.outcome.kind !== 'unknown') return nothing
    return () => actions.settlePayment(new Failure('TRANSACTION_UNCONFIRMED'))
  })
}
