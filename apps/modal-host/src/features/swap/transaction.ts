/**
 * What the service built, held to what the visitor was shown before any wallet sees it. The service is asked for bytes; it is not believed.
 */

import { isSameAddress } from '@postern/chains/same-address'
import { limits, type SwapApproval, type SwapTransaction } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { beginsAsKnown, readCall } from '../../intent/evm-calls'
import { minimumReceived, type SwapQuestion } from './quote'

export type Call = {
  readonly to: string
  readonly data: string
  /** Wei. */
  readonly value: bigint
  /** As the service estimates it. */
  readonly gas: bigint
  /** What that may cost at most, in wei, as the service estimates. */
  readonly fee: bigint
}

/** Another transaction than was asked for. Nothing of it is shown to a wallet. */
function refused(what: string): Failure {
  return new Failure('INTERNAL', { message: `The swap service answered with another transaction: ${what}` })
}

/** By which tokens and deposits move or are allowed, beside those that are read: whatever else the visitor has could be called. */
const ofTokens: ReadonlySet<string> = new Set([
  // ERC-677 and ERC-1363: transferAndCall, transferFromAndCall, approveAndCall.
  ...['0x4000aea0', '0x1296ee62', '0xd8fbe994', '0xc1d34b89', '0xcae9ca51', '0x3177029f'],
  // ERC-777: send, operatorSend, authorizeOperator.
  ...['0x9bd9bbc6', '0x62ad1b83', '0x959b8c3f'],
  // ERC-1155 and the first ERC-20s: safeBatchTransferFrom, increaseApproval.
  ...['0x2eb2c2d6', '0xd73dd623'],
  // Permit2: transferFrom, of one and of many; permits, DAI's among them.
  ...['0x36c78516', '0x0d58b1db', '0x2b67b570', '0x2a2d80d1', '0x30f28b7a', '0xedd9444b', '0x8fcbaf0c'],
  // ERC-4626: withdraw, redeem.
  ...['0xb460af94', '0xba087652'],
  // ERC-6909: transfer, transferFrom, approve, setOperator.
  ...['0x095bcdb6', '0xfe99049a', '0x426a8493', '0x558a7297'],
  // What is lent: Aave's withdraw and approveDelegation, Compound's withdrawTo and allow. What is owned: transferOwnership.
  ...['0x69328dec', '0xc04a8a10', '0xc3b35a7e', '0x110496e5', '0xf2fde38b'],
])

type Order = SwapQuestion & { readonly toAmount: bigint }

/**
 * 1. It is the visitor's own call on the network of the tokens, to a contract.
 * 2. Exactly what is paid goes along: the amount where that is the network's own currency, else nothing.
 * 3. Where the bytes are known (Uniswap's routers, wrapping), they pay this amount of this token, and give this visitor at least the minimum of the other one.
 *    Bytes that are nothing but a transfer or an approval are no swap.
 * 4. Other bytes are the service's own: the wallet shows them, and what they may take of a token is held by the approval (see {@link checkedApproval}). Bytes that
 *    begin like known ones and cannot be read are refused, for a contract does not mind a byte too many; so are those by which a token moves itself.
 */
export function checkedSwap({ tx }: SwapTransaction, order: Order): Call {
  const { account, from, to, amount, toAmount } = order
  const [contract, owner] = [addressOn(order, tx.to), ownerOf(account)]
  if (!isSameAddress(tx.from, account)) throw refused('sender')
  if (isSameAddress(contract, owner)) throw refused('receiver')
  const value = BigInt(tx.amount)
  if (value !== (from.isNative ? amount : 0n)) throw refused('value')
  const native = { symbol: '', decimals: limits.nativeDecimals.eip155 }
  const [step, ...more] = readCall({ to: contract, value: tx.amount, data: tx.data }, { from: owner, native })
  if (step === undefined || more.length > 0) throw refused('steps')
  const least = minimumReceived(toAmount)
  switch (step.kind) {
    case 'swap': {
      const pays = isToken(from, step.pay.token) && BigInt(step.pay.raw) === amount
      const gives = isToken(to, step.receiveAtLeast.token) && BigInt(step.receiveAtLeast.raw) >= least
      if (!pays || !gives || !isSameAddress(step.recipient, owner)) throw refused('swap')
      break
    }
    case 'call': {
      const isWrap = step.name === 'deposit'
      const isUnwrap = step.name === 'withdraw'
      if (isWrap && !(from.isNative && isSameAddress(contract, to.address) && amount >= least)) throw refused('deposit')
      const withdrawn = step.fields.find(({ name }) => name === 'amount')?.value
      if (isUnwrap && !(to.isNative && isSameAddress(contract, from.address) && withdrawn === `${amount}`))
        throw refused('withdraw')
      if (step.name !== undefined && !isWrap && !isUnwrap) throw refused(step.name)
      // 4.
      if (step.name === undefined && (beginsAsKnown(tx.data) || ofTokens.has(tx.data.slice(0, 10).toLowerCase())))
        throw refused('bytes')
      // A token is called by a swap to change it back into what it wraps, and for nothing else.
      const isOfToken = isSameAddress(contract, from.address) || isSameAddress(contract, to.address)
      if (step.name === undefined && isOfToken) throw refused('token')
      break
    }
    default:
      throw refused(step.kind)
  }
  return { to: contract, data: tx.data, value, ...costOf(tx.eip155) }
}

/** Whether a token has to be allowed to be taken before this call: not the network's own currency, and not by the token itself. */
export function takesToken(swap: Call, { from }: Pick<SwapQuestion, 'from'>): boolean {
  return !from.isNative && !isSameAddress(swap.to, from.address)
}

/**
 * 1. A call to the paid token itself, by its owner, that sends nothing along.
 * 2. It approves the contract that the swap calls and no other, and exactly what is paid: where a service's is of another amount (of everything, as hosted ones
 *    build them), this one is written in its place.
 */
export function checkedApproval({ tx }: SwapApproval, order: SwapQuestion, swap: Call): Call {
  const { account, from, amount } = order
  const [token, owner] = [addressOn(order, tx.to), ownerOf(account)]
  if (!isSameAddress(tx.from, account)) throw refused('sender')
  if (!isSameAddress(token, from.address) || tx.value !== '0') throw refused('approval')
  const native = { symbol: '', decimals: limits.nativeDecimals.eip155 }
  const [step, ...more] = readCall({ to: token, value: '0', data: tx.data }, { from: owner, native })
  // Not increaseAllowance, which is read as the same step.
  const isApproval = step?.kind === 'approve' && more.length === 0 && tx.data.toLowerCase().startsWith('0x095ea7b3')
  if (!isApproval || !isSameAddress(step.spender, swap.to)) throw refused('approval')
  return approvalOf({ to: token, data: tx.data, value: 0n, ...costOf(tx.eip155) }, amount)
}

/** The amount is the second and last word of an approval's bytes. */
export function approvalOf(approval: Call, amount: bigint): Call {
  return { ...approval, data: `${approval.data.slice(0, -64)}${amount.toString(16).padStart(64, '0')}` }
}

function addressOn({ from }: SwapQuestion, caip10: string): string {
  const networkId = from.id.slice(0, from.id.lastIndexOf(':'))
  const [, address] = new RegExp(`^${networkId}:(0x[0-9a-fA-F]{40})$`).exec(caip10) ?? []
  if (address === undefined) throw refused('network')
  return address
}

function ownerOf(account: string): string {
  return account.slice(account.lastIndexOf(':') + 1)
}

function isToken({ isNative, address }: SwapQuestion['from'], token: string | undefined): boolean {
  return isNative ? token === undefined : token !== undefined && isSameAddress(token, address)
}

function costOf({ gas, gasPrice }: { readonly gas: string; readonly gasPrice: string }): Pick<Call, 'gas' | 'fee'> {
  return { gas: BigInt(gas), fee: BigInt(gas) * BigInt(gasPrice) }
}
