/** What has to be asked of the wallet for one swap, and in which form. */

import { decimalsOf, isRevert } from '@postern/chains/erc20'
import { exactUnits } from '@postern/chains/format'
import { type CaipNetworkId, type ErrorCode, parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { MoneyHost, TransactionPurpose } from '../../snapshot/money'
import { askInTime, patience } from '../../view-kit/ask-in-time'
import { httpStatusOf } from '../http-status'
import { mostOffered, rollupFeeOfCall } from '../rollup-fee'
import { bestQuote, type Prices, type Quote, type SwapQuestion } from './quote'
import type { SwapToken } from './tokens'
import { approvalOf, type Call, checkedApproval, checkedSwap, takesToken } from './transaction'

/** A swap as the visitor was shown it. */
export type SwapOrder = SwapQuestion & {
  readonly networkId: CaipNetworkId
  /** Of the account, without its network. */
  readonly address: string
  readonly quote: Quote
  /** As they were known with the form; null where one is not. */
  readonly prices: Prices | null
  /** The wallet that one signs in to. */
  readonly isEmbedded: boolean
}

export type SwapPlan = {
  /** None where the swap's contract may take enough already, or nothing has to be taken. Two where the token wants an earlier allowance taken back first. */
  readonly approvals: readonly Call[]
  readonly swap: Call
  /** Approvals and swap go as one, or not at all (EIP-5792). */
  readonly atomic: boolean
  /** Wei, at most as the service estimates, with what a rollup takes for the data; null where somebody else pays. */
  readonly fee: bigint | null
}

type Money = Pick<MoneyHost, 'api' | 'client' | 'request' | 'clock'>

/** The best quote there is now; null where there is no route. */
export async function quoteOf(money: Money, question: SwapQuestion, signal?: AbortSignal): Promise<Quote | null> {
  const { account, from, to, amount } = question
  const query = { amount: `${amount}`, userAddress: account, from: from.id, to: to.id }
  const { quotes } = await money.api.swapQuotes(query, signal)
  return bestQuote(quotes, question, money.clock.now())
}

/**
 * 1. The swap is built first, from what the visitor was shown, and checked; an approval is built for its contract alone, of exactly what is paid, and only
 *    where what may be taken already is less.
 * 2. Some tokens (USDT on Ethereum) let nobody change an allowance but to nothing: where one is left of before, and the chain says that the approval reverts,
 *    it is taken back first.
 * 3. Approvals and swap go together where the wallet says that it does all or nothing on this network.
 * 4. How many decimals a token has decides how much an amount is: nobody's word but the chain's counts.
 * 5. A rollup takes something for the data of each transaction, which the service's gas does not have: the chain is asked for it, and twice that may be taken by the time.
 * Rejects with HTTP_STATUS 409 where the price has moved by more than the tolerance.
 */
export async function planSwap(money: Money, order: SwapOrder, signal?: AbortSignal): Promise<SwapPlan> {
  const [swap, abilities] = await Promise.all([
    builtSwap(money, order, signal),
    abilitiesOf(money, order, signal),
    checkDecimals(money, order, order.from, signal),
    checkDecimals(money, order, order.to, signal),
  ])
  const approvals = takesToken(swap, order) ? await approvalsOf(money, order, swap, signal) : []
  const fee = abilities.sponsored ? null : await feeOf(money, order, [swap, ...approvals], signal)
  return { approvals, swap, atomic: approvals.length > 0 && abilities.atomic, fee }
}

/** 5. */
async function feeOf(
  { client }: Pick<Money, 'client'>,
  { networkId }: SwapOrder,
  calls: readonly Call[],
  signal?: AbortSignal,
): Promise<bigint> {
  const fees = calls.map(async (call) => {
    const price = call.gas === 0n ? 0n : call.fee / call.gas
    return call.fee + mostOffered * (await rollupFeeOfCall(client(networkId), { ...call, price }, signal))
  })
  return (await Promise.all(fees)).reduce((sum, fee) => sum + fee, 0n)
}

/** 4. */
async function checkDecimals(
  { client }: Pick<Money, 'client'>,
  { networkId }: SwapOrder,
  token: SwapToken,
  signal?: AbortSignal,
): Promise<void> {
  if (token.isNative || (await decimalsOf(client(networkId).rpc, token.address, signal)) === token.decimals) return
  throw new Failure('INTERNAL', { message: `The swap service lists ${token.symbol} wrongly` })
}

async function approvalsOf(money: Money, order: SwapOrder, swap: Call, signal?: AbortSignal): Promise<readonly Call[]> {
  const { account, from, to, amount } = order
  const { allowance } = await money.api.swapAllowance({ tokenAddress: from.id, userAddress: account }, signal)
  if (BigInt(allowance) >= amount) return []
  const query = { userAddress: account, from: from.id, to: to.id, amount: `${amount}` }
  const approval = checkedApproval(await money.api.buildApprove(query, signal), order, swap)
  // 2.
  const isRefused = BigInt(allowance) > 0n && (await reverts(money, order, approval, signal))
  return isRefused ? [approvalOf(approval, 0n), approval] : [approval]
}

/** Whether the chain says that a call comes to nothing. One that cannot be asked says nothing. */
async function reverts(
  { client }: Pick<Money, 'client'>,
  { networkId, address: from }: SwapOrder,
  { to, data }: Call,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    await client(networkId).rpc.request({ method: 'eth_call', params: [{ from, to, data }, 'latest'] }, signal)
    return false
  } catch (thrown) {
    return isRevert(thrown)
  }
}

/** The swap as it can be carried out now, with no less than what the visitor was shown. */
export async function builtSwap({ api }: Pick<Money, 'api'>, order: SwapOrder, signal?: AbortSignal): Promise<Call> {
  const { account, from, to, amount, quote } = order
  const query = { amount: `${amount}`, from: from.id, to: to.id, userAddress: account, toAmount: `${quote.toAmount}` }
  return checkedSwap(await api.buildSwap(query, signal), { ...order, toAmount: quote.toAmount })
}

/** A price that moved by more than the tolerance, as the service says it. */
export function isMoved(thrown: unknown): boolean {
  return httpStatusOf(thrown) === 409
}

/** No way between the two tokens, for this amount, any more. */
export function isWithoutRoute(thrown: unknown): boolean {
  return httpStatusOf(thrown) === 404
}

const Ability = z.object({
  atomic: z.optional(z.object({ status: z.string() })),
  paymasterService: z.optional(z.object({ supported: z.boolean() })),
})
const Capabilities = z.record(z.string(), z.unknown())

type Abilities = { readonly atomic: boolean; readonly sponsored: boolean }

/** What the wallet says that it can do on this network (EIP-5792). One that says nothing can do nothing. `ready` would change the account first, and is no yes. */
export async function abilitiesOf(
  { request, clock }: Pick<Money, 'request' | 'clock'>,
  { networkId, address, isEmbedded }: Pick<SwapOrder, 'networkId' | 'address' | 'isEmbedded'>,
  outer?: AbortSignal,
): Promise<Abilities> {
  const chain = chainHex(networkId)
  const none = { atomic: false, sponsored: false }
  try {
    const answer = await askInTime({ request, clock }, 'wallet_getCapabilities', [address, [chain]], patience, outer)
    const said = Capabilities.safeParse(answer)
    const own = Ability.safeParse(said.success ? said.data[chain] : undefined)
    if (!own.success) return none
    // A wallet of the page that takes a paymaster's address pays nothing by itself.
    const sponsored = isEmbedded && own.data.paymasterService?.supported === true
    return { atomic: own.data.atomic?.status === 'supported', sponsored }
  } catch {
    return none
  }
}

export type WalletRequest = { readonly method: string; readonly params: unknown; readonly purpose: TransactionPurpose }

/** One call as a transaction of the order's network, whatever the wallet has moved on to. Gas and its price are the wallet's own business. */
export function asTransaction(order: SwapOrder, kind: 'approve' | 'swap', call: Call): WalletRequest {
  const { to, data, value } = call
  const params = [{ from: order.address, to, data, value: hex(value), chainId: chainHex(order.networkId) }]
  return { method: 'eth_sendTransaction', params, purpose: purposeOf(order, kind, to) }
}

/** Approvals and swap as one (EIP-5792): all or nothing. */
export function asCalls(order: SwapOrder, approvals: readonly Call[], swap: Call): WalletRequest {
  const calls = [...approvals, swap].map(({ to, data, value }) => ({ to, data, value: hex(value) }))
  const { address: from, networkId } = order
  const params = [{ version: '2.0.0', from, chainId: chainHex(networkId), atomicRequired: true, calls }]
  return { method: 'wallet_sendCalls', params, purpose: purposeOf(order, 'swap', swap.to) }
}

function purposeOf({ from, amount }: SwapOrder, kind: 'approve' | 'swap', to: string): TransactionPurpose {
  return { kind, amount: exactUnits(amount, from.decimals), symbol: from.symbol, to }
}

function chainHex(networkId: CaipNetworkId): string {
  return hex(BigInt(parseCaipNetworkId(networkId).reference))
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** Why a swap stopped. `failed` has the words of the catalogue, or those of whoever failed; `replaced`: the wallet sent something else, or nothing. */
export type Stop =
  | { readonly kind: 'declined' | 'noRoute' | 'reverted' | 'replaced' | 'unknown' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
