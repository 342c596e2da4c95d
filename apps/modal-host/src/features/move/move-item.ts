import { exactUnits } from '@postern/chains/format'
import type { Account, Network, Nft, PreviousWallet } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import type { MoneyHost, TransactionPurpose } from '../../snapshot/money'
import { namespaceFeatures } from '../namespaces/namespaces'
import { checkAmount, type SendProblem } from '../send/check'
import type { TransferRequest } from '../send/senders/sender'
import type { SendToken } from '../send/token'
import { evmNftTransfer } from './nft-transfer'

export type MoveAccount = PreviousWallet['accounts'][number]
export type MovePlace = { readonly network: Network; readonly from: MoveAccount }

export type MoveItem =
  | { readonly kind: 'token'; readonly token: SendToken }
  | { readonly kind: 'nft'; readonly nft: Nft; readonly token: SendToken }

export type MoveRequest =
  | { readonly kind: 'request'; readonly request: TransferRequest; readonly purpose: TransactionPurpose }
  /** The item stays behind. */
  | { readonly kind: 'problem'; readonly problem: SendProblem }

export function moveItemOf(nft: Nft): MoveItem & { readonly kind: 'nft' } {
  const [, , address = ''] = nft.contract.split(':')
  const name = plainText(nft.name ?? '') || `#${plainText(nft.tokenId, 12)}`
  const key = `nft:${address}:${nft.tokenId}`
  const token = { key, name, symbol: name, decimals: 0, balance: 1n, address, price: 0, iconUrl: '' }
  return { kind: 'nft', nft, token }
}

export function keyOf({ network, from }: MovePlace, { token }: MoveItem): string {
  return `${network.caipNetworkId}:${from.address}:${token.key}`
}

/**
 * Sends all of an item of the previous wallet to the new one.
 *
 * 1. Sends a token's whole balance. Of the native currency, leaves the max fee.
 * 2. The amount is the chain's current balance, not the listed one.
 * 3. The recipient is the account that the wallet's frame named.
 */
export async function prepareMove(
  money: Pick<MoneyHost, 'client'>,
  { network, from }: MovePlace,
  item: MoveItem,
  signal: AbortSignal,
): Promise<MoveRequest> {
  const { to } = from
  const { token } = item
  const namespace = network.chainNamespace
  const account: Account = { namespace, address: from.address, type: from.type }
  if (item.kind === 'nft' && namespace === 'eip155') {
    const client = money.client(network.caipNetworkId)
    const request = await evmNftTransfer({ nft: item.nft, network, account, to, client }, signal)
    return { kind: 'request', request, purpose: purposeOf(token, 1n, to) }
  }
  const sender = await namespaceFeatures[namespace].loadSender()
  const prepared = await sender.prepare({ network, account, token, to, amount: null }, money, signal)
  const quote = prepared.quote(null, 'normal')
  const amount = token.address === null ? quote.max : quote.balance
  const problem: SendProblem | null =
    amount > 0n ? checkAmount(amount, quote) : { field: 'amount', kind: 'fee', needed: quote.needed }
  if (problem !== null) return { kind: 'problem', problem }
  const request = await prepared.request(amount, 'normal', signal)
  return { kind: 'request', request, purpose: purposeOf(token, amount, to) }
}

function purposeOf({ decimals, symbol }: SendToken, amount: bigint, to: string): TransactionPurpose {
  return { kind: 'send', amount: exactUnits(amount, decimals), symbol: plainText(symbol, 12), to }
}
