import { decimalsOf, isRevert } from '@postern/chains/eip155/erc20'
import { exactUnits } from '@postern/chains/format'
import { type CaipNetworkId, type ErrorCode, parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { MoneyHost, TransactionPurpose } from '../../snapshot/money'
import { capabilitiesTimeoutMs, requestWithTimeout } from '../../view-kit/loading/request-with-timeout'
import { httpStatusOf } from '../blockchain-api'
import { maxFeeFactor, rollupFeeOfCall } from '../rollup-fee'
import { bestQuote, type Prices, type Quote, type QuoteRequest } from './quote'
import type { SwapToken } from './tokens'
import { approvalOf, type Call, checkedApproval, checkedSwap, takesToken } from './transaction'

export type SwapOrder = QuoteRequest & {
  readonly networkId: CaipNetworkId
  readonly address: string
  readonly quote: Quote
  readonly prices: Prices | null
  readonly isEmbedded: boolean
}

export type SwapPlan = {
  /** Empty if the allowance suffices; two if the token requires a reset first. */
  readonly approvals: readonly Call[]
  readonly swap: Call
  /** Executes all calls or none (EIP-5792). */
  readonly atomic: boolean
  /** Max fee in wei, with the rollup fee; null if sponsored. */
  readonly fee: bigint | null
}

type Money = Pick<MoneyHost, 'api' | 'client' | 'request' | 'clock'>

export async function quoteOf(money: Money, request: QuoteRequest, signal?: AbortSignal): Promise<Quote | null> {
  const { account, from, to, amount } = request
  const query = { amount: `${amount}`, userAddress: account, from: from.id, to: to.id }
  const { quotes } = await money.api.swapQuotes(query, signal)
  return bestQuote(quotes, request, money.clock.now())
}

/**
 * Plans a swap.
 *
 * 1. The swap is built first, from what was shown, and checked. An approval is only for its contract and the exact
 *    amount, if the allowance is lower.
 * 2. Some tokens (USDT on Ethereum) change an allowance only from zero: it is reset first if the approval would revert.
 * 3. Approvals and swap go together if the wallet is atomic on this network.
 * 4. Decimals decide the amount, so they are read from the chain only.
 * 5. The service's gas lacks the rollup's data fee: the plan allows twice the chain's answer.
 *
 * Rejects with HTTP_STATUS 409 if the price moved beyond the slippage tolerance.
 */
export async function planSwap(money: Money, order: SwapOrder, signal?: AbortSignal): Promise<SwapPlan> {
  const [swap, abilities] = await Promise.all([
    builtSwap(money, order, signal),
    batchSupport(money, order, signal),
    checkDecimals(money, order, order.from, signal),
    checkDecimals(money, order, order.to, signal),
  ])
  const approvals = takesToken(swap, order) ? await approvalsOf(money, order, swap, signal) : []
  const fee = abilities.sponsored ? null : await feeOf(money, order, [swap, ...approvals], signal)
  return { approvals, swap, atomic: approvals.length > 0 && abilities.atomic, fee }
}

/** Rule 5. */
async function feeOf(
  { client }: Pick<Money, 'client'>,
  { networkId }: SwapOrder,
  calls: readonly Call[],
  signal?: AbortSignal,
): Promise<bigint> {
  const fees = calls.map(async (call) => {
    const price = call.gas === 0n ? 0n : call.fee / call.gas
    return call.fee + maxFeeFactor * (await rollupFeeOfCall(client(networkId), { ...call, price }, signal))
  })
  return (await Promise.all(fees)).reduce((sum, fee) => sum + fee, 0n)
}

/** Rule 4. */
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
  // Rule 2.
  const isRefused = BigInt(allowance) > 0n && (await reverts(money, order, approval, signal))
  return isRefused ? [approvalOf(approval, 0n), approval] : [approval]
}

/** False if the chain does not respond. */
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

/** The swap must give at least the displayed amount. */
export async function builtSwap({ api }: Pick<Money, 'api'>, order: SwapOrder, signal?: AbortSignal): Promise<Call> {
  const { account, from, to, amount, quote } = order
  const query = { amount: `${amount}`, from: from.id, to: to.id, userAddress: account, toAmount: `${quote.toAmount}` }
  return checkedSwap(await api.buildSwap(query, signal), { ...order, toAmount: quote.toAmount })
}

export function isPriceMoved(thrown: unknown): boolean {
  return httpStatusOf(thrown) === 409
}

export function isWithoutRoute(thrown: unknown): boolean {
  return httpStatusOf(thrown) === 404
}

const Ability = z.object({
  atomic: z.optional(z.object({ status: z.string() })),
  paymasterService: z.optional(z.object({ supported: z.boolean() })),
})
const Capabilities = z.record(z.string(), z.unknown())

type Abilities = { readonly atomic: boolean; readonly sponsored: boolean }

/** EIP-5792. `ready` counts as no: it would change the account first. */
async function batchSupport(
  { request, clock }: Pick<Money, 'request' | 'clock'>,
  { networkId, address, isEmbedded }: Pick<SwapOrder, 'networkId' | 'address' | 'isEmbedded'>,
  outer?: AbortSignal,
): Promise<Abilities> {
  const chain = chainHex(networkId)
  const none = { atomic: false, sponsored: false }
  try {
    const answer = await requestWithTimeout(
      { request, clock },
      'wallet_getCapabilities',
      [address, [chain]],
      capabilitiesTimeoutMs,
      outer,
    )
    const capabilities = Capabilities.safeParse(answer)
    const ability = Ability.safeParse(capabilities.success ? capabilities.data[chain] : undefined)
    if (!ability.success) return none
    // A page wallet with paymaster support does not sponsor.
    const sponsored = isEmbedded && ability.data.paymasterService?.supported === true
    return { atomic: ability.data.atomic?.status === 'supported', sponsored }
  } catch {
    return none
  }
}

export type WalletRequest = { readonly method: string; readonly params: unknown; readonly purpose: TransactionPurpose }

/** The wallet chooses gas and price. */
export function asTransaction(order: SwapOrder, kind: 'approve' | 'swap', call: Call): WalletRequest {
  const { to, data, value } = call
  const params = [{ from: order.address, to, data, value: hex(value), chainId: chainHex(order.networkId) }]
  return { method: 'eth_sendTransaction', params, purpose: purposeOf(order, kind, to) }
}

export function asCalls(order: SwapOrder, approvals: readonly Call[], swap: Call): WalletRequest {
  const calls = [...approvals, swap].map(({ to, data, value }) => ({ to, data, value: hex(value) }))
  const { address: from, networkId } = order
  const params = [{ version: '2.0.0', from, chainId: chainHex(networkId), atomicRequired: true, calls }]
  return { method: 'wallet_sendCalls', params, purpose: purposeOf(order, 'swap', swap.to) }
}

function purposeOf(order: SwapOrder, kind: 'approve' | 'swap', to: string): TransactionPurpose {
  const { from, amount, quote } = order
  const receives = { amount: exactUnits(quote.toAmount, order.to.decimals), symbol: order.to.symbol }
  const paid = { kind, amount: exactUnits(amount, from.decimals), symbol: from.symbol, to }
  return kind === 'swap' ? { ...paid, receives } : paid
}

function chainHex(networkId: CaipNetworkId): string {
  return hex(BigInt(parseCaipNetworkId(networkId).reference))
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** `replaced`: the wallet sent something else or nothing. */
export type Stop =
  | { readonly kind: 'declined' | 'noRoute' | 'reverted' | 'replaced' | 'unknown' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
