/** Checks the untrusted service's transactions before a wallet sees them. */

import { hasKnownSelector, readCall } from '@postern/chains/eip155/decode-call'
import { isSameAddress } from '@postern/chains/same-address'
import { limits, type SwapApproval, type SwapTransaction } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { minimumReceived, type QuoteRequest } from './quote'

export type Call = {
  readonly to: string
  readonly data: string
  /** In wei. */
  readonly value: bigint
  readonly gas: bigint
  /** Max cost in wei by the service's estimate. */
  readonly fee: bigint
}

/** The service answered with another transaction, which never reaches a wallet. */
function refused(what: string): Failure {
  return new Failure('INTERNAL', { message: `The swap service answered with another transaction: ${what}` })
}

/** Calls that move or approve tokens and deposits: they could spend the user's other assets. */
const tokenSelectors: ReadonlySet<string> = new Set([
  // ERC-677 and ERC-1363: transferAndCall, transferFromAndCall, approveAndCall.
  ...['0x4000aea0', '0x1296ee62', '0xd8fbe994', '0xc1d34b89', '0xcae9ca51', '0x3177029f'],
  // ERC-777: send, operatorSend, authorizeOperator.
  ...['0x9bd9bbc6', '0x62ad1b83', '0x959b8c3f'],
  // ERC-1155 and the first ERC-20s: safeBatchTransferFrom, increaseApproval.
  ...['0x2eb2c2d6', '0xd73dd623'],
  // Permit2: transferFrom, single and batch; permits, including DAI's.
  ...['0x36c78516', '0x0d58b1db', '0x2b67b570', '0x2a2d80d1', '0x30f28b7a', '0xedd9444b', '0x8fcbaf0c'],
  // ERC-4626: withdraw, redeem.
  ...['0xb460af94', '0xba087652'],
  // ERC-6909: transfer, transferFrom, approve, setOperator.
  ...['0x095bcdb6', '0xfe99049a', '0x426a8493', '0x558a7297'],
  // Lending: Aave's withdraw and approveDelegation, Compound's withdrawTo and allow. Ownership: transferOwnership.
  ...['0x69328dec', '0xc04a8a10', '0xc3b35a7e', '0x110496e5', '0xf2fde38b'],
])

type Order = QuoteRequest & { readonly toAmount: bigint }

/**
 * Checks a swap transaction.
 *
 * 1. It is the user's own call to a contract on the tokens' network.
 * 2. Its value is the amount for the native currency, otherwise zero.
 * 3. Known call data (Uniswap's routers, wrapping) pay this amount of this token and give this user at least the
 *    minimum of the other. A mere transfer or approval is not a swap.
 * 4. Other call data are the service's own: the wallet shows them, and {@link checkedApproval} limits what they take.
 *    Calls that move a token directly are rejected; so are known selectors that do not decode, because contracts ignore
 *    trailing bytes.
 */
export function checkedSwap({ tx }: SwapTransaction, order: Order): Call {
  const { account, from, to, amount, toAmount } = order
  const [contract, owner] = [addressOn(order, tx.to), ownerOf(account)]
  if (!isSameAddress(tx.from, account)) throw refused('sender')
  if (isSameAddress(contract, owner)) throw refused('receiver')
  const value = BigInt(tx.amount)
  if (value !== (from.isNative ? amount : 0n)) throw refused('value')
  const native = { symbol: '', decimals: limits.nativeDecimals.eip155 }
  // Rule 3, whatever the contract is: the wallet asks the user about an unknown one.
  const context = { from: owner, native, routers: [contract] }
  const [step, ...more] = readCall({ to: contract, value: tx.amount, data: tx.data }, context)
  if (step === undefined || more.length > 0) throw refused('steps')
  const min = minimumReceived(toAmount)
  switch (step.kind) {
    case 'swap': {
      const pays = isToken(from, step.pay.token) && BigInt(step.pay.raw) === amount
      const gives = isToken(to, step.receiveAtLeast.token) && BigInt(step.receiveAtLeast.raw) >= min
      if (!pays || !gives || !isSameAddress(step.recipient, owner)) throw refused('swap')
      break
    }
    case 'call': {
      const isWrap = step.name === 'deposit'
      const isUnwrap = step.name === 'withdraw'
      if (isWrap && !(from.isNative && isSameAddress(contract, to.address) && amount >= min)) throw refused('deposit')
      const withdrawn = step.fields.find(({ name }) => name === 'amount')?.value
      if (isUnwrap && !(to.isNative && isSameAddress(contract, from.address) && withdrawn === `${amount}`))
        throw refused('withdraw')
      if (step.name !== undefined && !isWrap && !isUnwrap) throw refused(step.name)
      // Rule 4.
      if (
        step.name === undefined &&
        (hasKnownSelector(tx.data) || tokenSelectors.has(tx.data.slice(0, 10).toLowerCase()))
      )
        throw refused('bytes')
      // A swap may call a token only to unwrap it.
      const isOfToken = isSameAddress(contract, from.address) || isSameAddress(contract, to.address)
      if (step.name === undefined && isOfToken) throw refused('token')
      break
    }
    default:
      throw refused(step.kind)
  }
  return { to: contract, data: tx.data, value, ...costOf(tx.eip155) }
}

/** False for the native currency and for a call to the token itself. */
export function takesToken(swap: Call, { from }: Pick<QuoteRequest, 'from'>): boolean {
  return !from.isNative && !isSameAddress(swap.to, from.address)
}

/**
 * Checks an approval.
 *
 * 1. It is a call by the owner to the paid token, with zero value.
 * 2. It approves only the contract that the swap calls, and exactly the paid amount: another amount (hosted services
 *    use unlimited) is replaced.
 */
export function checkedApproval({ tx }: SwapApproval, order: QuoteRequest, swap: Call): Call {
  const { account, from, amount } = order
  const [token, owner] = [addressOn(order, tx.to), ownerOf(account)]
  if (!isSameAddress(tx.from, account)) throw refused('sender')
  if (!isSameAddress(token, from.address) || tx.value !== '0') throw refused('approval')
  const native = { symbol: '', decimals: limits.nativeDecimals.eip155 }
  const [step, ...more] = readCall({ to: token, value: '0', data: tx.data }, { from: owner, native })
  // Permit2's approval decodes alike but is not allowed.
  const isApproval = step?.kind === 'approve' && more.length === 0 && tx.data.toLowerCase().startsWith('0x095ea7b3')
  if (!isApproval || !isSameAddress(step.spender, swap.to)) throw refused('approval')
  return approvalOf({ to: token, data: tx.data, value: 0n, ...costOf(tx.eip155) }, amount)
}

export function approvalOf(approval: Call, amount: bigint): Call {
  return { ...approval, data: `${approval.data.slice(0, -64)}${amount.toString(16).padStart(64, '0')}` }
}

function addressOn({ from }: QuoteRequest, caip10: string): string {
  const networkId = from.id.slice(0, from.id.lastIndexOf(':'))
  const [, address] = new RegExp(`^${networkId}:(0x[0-9a-fA-F]{40})$`).exec(caip10) ?? []
  if (address === undefined) throw refused('network')
  return address
}

function ownerOf(account: string): string {
  return account.slice(account.lastIndexOf(':') + 1)
}

function isToken({ isNative, address }: QuoteRequest['from'], token: string | undefined): boolean {
  return isNative ? token === undefined : token !== undefined && isSameAddress(token, address)
}

function costOf({ gas, gasPrice }: { readonly gas: string; readonly gasPrice: string }): Pick<Call, 'gas' | 'fee'> {
  return { gas: BigInt(gas), fee: BigInt(gas) * BigInt(gasPrice) }
}
