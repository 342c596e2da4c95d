import { isAddressOf, type PaymentRequest, parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { factsOf } from '../../snapshot/namespace-facts'
import { readRecipient } from '../recipient/read-recipient'

/** Limits the dapp's displayed reference, in characters. */
export const maxReferenceLength = 64

/**
 * Checks a dapp's payment request, and formats the recipient.
 *
 * 1. The recipient is an address of the network with a valid checksum: a name, a link, another network's address or one
 *    without a key is INVALID_ADDRESS.
 * 2. The amount is above zero. A token is an address of the network; Bitcoin has none. Otherwise INVALID_PARAMS.
 */
export async function checkPayment(payment: PaymentRequest): Promise<PaymentRequest> {
  const { networkId, token, amount, recipient } = payment
  const { namespace } = parseCaipNetworkId(networkId)
  if (!/[1-9]/.test(amount)) throw new Failure('INVALID_PARAMS', { message: 'The amount must be more than nothing' })
  if (token !== undefined && !(factsOf(namespace).hasTokens && isAddressOf(namespace, token)))
    throw new Failure('INVALID_PARAMS', { message: 'The token must be an address on the network' })
  const read = isAddressOf(namespace, recipient) ? await readRecipient(recipient, networkId) : null
  if (read?.kind !== 'address') throw new Failure('INVALID_ADDRESS')
  return { ...payment, recipient: read.address }
}
