import { loadAdapter } from '@postern/chains/adapters'
import { chainIdOf, Quantity } from '@postern/chains/eip155/adapter'
import { balanceOf, decimalsOf, isRevert } from '@postern/chains/eip155/erc20'
import { chooseTip, TipHistory, tipHistoryParams } from '@postern/chains/eip155/tip'
import { askNode } from '@postern/chains/nodes/ask-node'
import type { JsonRpcClient } from '@postern/chains/nodes/json-rpc'
import { isSameAddress } from '@postern/chains/same-address'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { maxFeeFactor, rollupFeeOfCall, rollupFeeOfSize } from '../../rollup-fee'
import { atLeastZero, type Draft, type Quote, type Sender } from './sender'

const Wei = z.pipe(
  Quantity,
  z.transform((text) => BigInt(text)),
)
const Block = z.object({ baseFeePerGas: z.optional(Wei) })

/** Gas of a plain transfer: G_transaction of the yellow paper. */
const transferGas = 21_000n
/** Gas of a token transfer that cannot be estimated. */
const tokenGas = 65_000n
/** Max gas and bytes of an operation with deployment, reserved for a max amount. */
const operationGas = 700_000n
const operationBytes = 2_500

export type EvmFacts = {
  readonly native: bigint
  readonly balance: bigint
  /** From the token's contract; null for the native currency. */
  readonly decimals: number | null
  readonly isToToken: boolean
  readonly gas: bigint
  /** False if `gas` is a typical value. */
  readonly isEstimated: boolean
  /** Wei per gas in the next block. */
  readonly price: bigint
  /** The proposer's part of `price`; null without EIP-1559. */
  readonly tip: bigint | null
  /** In wei, for this transaction or an operation. */
  readonly rollup: bigint
  readonly wouldFail: boolean
}

/**
 * Sends on EVM networks.
 *
 * 1. The native currency or an ERC-20 token, by `eth_sendTransaction` with the chain id: the wallet chooses nonce, gas
 *    and fee.
 * 2. The displayed fee is the next block's price plus the rollup fee. A max amount reserves twice that, because wallets
 *    bid up to it. If less is left, the request names the quote's gas and fee: after a block the wallet would bid more
 *    than the balance covers.
 * 3. A smart account pays differently or is sponsored: its fee is null until the wallet reports it. Its bundler's
 *    rollup surcharge is reserved too.
 * 4. A token is never sent to a token contract, where it would be stuck.
 * 5. A token whose contract and list disagree on decimals, which decide the amount, is not sent.
 */
export const sender: Sender = {
  async prepare(draft, money, signal) {
    const facts = await factsOf(draft, money.client(draft.network.caipNetworkId).rpc, money, signal)
    return {
      quote: () => evmQuote(facts, draft),
      request: async (amount) => evmRequest(draft, amount, facts),
    }
  },
}

async function factsOf(
  draft: Draft,
  rpc: JsonRpcClient,
  money: Parameters<Sender['prepare']>[1],
  signal: AbortSignal,
): Promise<EvmFacts> {
  const { account, token, network, to } = draft
  const adapter = await loadAdapter('eip155')
  const client = money.client(network.caipNetworkId)
  const [native, balance, decimals, toDecimals, block, suggested, history, gasPrice, gas] = await Promise.all([
    adapter.nativeBalance(client, account.address, signal),
    token.address === null ? null : balanceOf(rpc, token.address, account.address, signal),
    token.address === null ? null : decimalsOf(rpc, token.address, signal),
    token.address === null || to === null ? null : orNull(decimalsOf(rpc, to, signal), signal),
    askNode(rpc, Block, 'eth_getBlockByNumber', ['latest', false], signal),
    orNull(askNode(rpc, Wei, 'eth_maxPriorityFeePerGas', [], signal), signal),
    orNull(askNode(rpc, TipHistory, 'eth_feeHistory', tipHistoryParams, signal), signal),
    orNull(askNode(rpc, Wei, 'eth_gasPrice', [], signal), signal),
    gasOf(draft, rpc, signal),
  ])
  const base = block.baseFeePerGas
  if (base === undefined && gasPrice === null) throw new Failure('INTERNAL')
  const tip = base === undefined ? null : chooseTip(suggested, history)
  const price = base === undefined ? (gasPrice ?? 0n) : base + (tip ?? 0n)
  const chainFacts = {
    native,
    balance: balance ?? native,
    decimals,
    isToToken: toDecimals !== null,
    price,
    tip,
    ...gas,
  }
  if (account.type === 'smartAccount')
    return { ...chainFacts, rollup: await rollupFeeOfSize(client, operationBytes, operationGas, signal) }
  // Any recipient and amount will do: the byte count hardly changes.
  const isSome = draft.amount !== null && draft.amount <= chainFacts.balance
  const call = callOf(draft, to ?? account.address, isSome ? draft.amount : chainFacts.balance)
  const coming = { ...call, value: BigInt(call.value), gas: gas.gas, price }
  return { ...chainFacts, rollup: await rollupFeeOfCall(client, coming, signal) }
}

export function evmQuote(facts: EvmFacts, { account, token, to }: Draft): Quote {
  const { native, balance, decimals, isToToken, gas, price, rollup, wouldFail } = facts
  const isSmart = account.type === 'smartAccount'
  const fee = gas * price + rollup
  const highest = reserve(facts, isSmart)
  const isNative = token.address === null
  const isToOwn = to !== null && token.address !== null && isSameAddress(to, token.address)
  return {
    balance,
    max: isNative ? atLeastZero(native - highest) : balance,
    min: 1n,
    fee: isSmart ? null : fee,
    maxFee: isSmart ? null : highest,
    deposit: 0n,
    native,
    // A smart account may be sponsored; the wallet knows.
    needed: isNative || isSmart ? 0n : fee,
    refusal: isToOwn || isToToken ? 'tokenContract' : null,
    wouldFail,
    rates: null,
    ...(decimals !== null && decimals !== token.decimals && { obstacle: 'unreadable' }),
  }
}

function reserve({ gas, price, rollup }: EvmFacts, isSmart: boolean): bigint {
  return ((isSmart ? operationGas : gas) * price + rollup) * maxFeeFactor
}

export function evmRequest(draft: Draft, amount: bigint, facts: EvmFacts) {
  if (draft.to === null) throw new Failure('INVALID_PARAMS')
  // With the chain id, a wallet that left the network rejects instead of sending elsewhere.
  const chainId = hexOf(BigInt(chainIdOf(draft.network.caipNetworkId)))
  const call = { ...callOf(draft, draft.to, amount), chainId, ...namedFee(draft, amount, facts) }
  return { method: 'eth_sendTransaction', params: [call] }
}

/** The gas and fee of rule 2. Null if the wallet can or must choose. */
function namedFee({ account, token }: Draft, amount: bigint, facts: EvmFacts) {
  const { native, gas, isEstimated, price, tip } = facts
  if (token.address !== null || account.type === 'smartAccount' || !isEstimated || tip === null) return null
  if (native - amount >= maxFeeFactor * reserve(facts, false)) return null
  return { gas: hexOf(gas), maxFeePerGas: hexOf(price * maxFeeFactor), maxPriorityFeePerGas: hexOf(tip) }
}

function callOf({ account, token }: Draft, to: string, amount: bigint) {
  const from = account.address
  if (token.address === null) return { from, to, value: hexOf(amount), data: '0x' }
  return { from, to: token.address, value: '0x0', data: transferData(to, amount) }
}

export function transferData(to: string, amount: bigint): string {
  return `0xa9059cbb${word(BigInt(to))}${word(amount)}`
}

function word(value: bigint): string {
  const digits = value.toString(16)
  if (value < 0n || digits.length > 64) throw new Failure('INVALID_PARAMS')
  return digits.padStart(64, '0')
}

function hexOf(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** The estimate plus 25%: the contract may need more gas later. */
async function gasOf(
  draft: Draft,
  rpc: JsonRpcClient,
  signal: AbortSignal,
): Promise<Pick<EvmFacts, 'gas' | 'isEstimated' | 'wouldFail'>> {
  const usual = draft.token.address === null ? transferGas : tokenGas
  const { to, amount } = draft
  if (to === null || (amount ?? draft.token.balance) > draft.token.balance)
    return { gas: usual, isEstimated: false, wouldFail: false }
  const call = callOf(draft, to, amount ?? 0n)
  try {
    const gas = await askNode(rpc, Wei, 'eth_estimateGas', [call], signal)
    return { gas: gas === transferGas ? gas : gas + gas / 4n, isEstimated: true, wouldFail: false }
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return { gas: usual, isEstimated: false, wouldFail: amount !== null && isRevert(thrown) }
  }
}

async function orNull<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await answer
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return null
  }
}
