import { isAddressOf, type PaymentRequest, parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { readRecipient } from '../recipient/read-recipient'

/** Characters of the dapp's own word for what is paid that are shown. */
export const longestReference = 64

/**
 * What a dapp asks for, as far as it can be judged before anybody is asked.
 *
 * 1. The recipient is an address of the network, with a checksum that holds where it has one: a name, a link, another network's address or one that
 *    nobody has the key of is INVALID_ADDRESS.
 * 2. The amount is more than nothing. A token is an address of the network, and Bitcoin has none. INVALID_PARAMS.
 *
 * @returns The request with the recipient as its network writes it.
 */
export async function checkPayment(payment: PaymentRequest): Promise<PaymentRequest> {
  const { networkId, token, amount, recipient } = payment
  const { namespace } = parseCaipNetworkId(networkId)
  if (!/[1-9]/.test(amount)) throw new Failure('INVALID_PARAMS', { message: 'The amount must be more than nothing' })
  if (token !== undefined && (namespace === 'bip122' || !isAddressOf(namespace, token)))
    throw new Failure('INVALID_PARAMS', { message: 'The token must be an address on the network' })
  const read = isAddressOf(namespace, recipient) ? await readRecipient(recipient, networkId) : null
  if (read?.kind !== 'address') throw new Failure('INVALID_ADDRESS')
  return { ...payment, recipient: read.address }
}
