import { systemClock } from '@postern/base/clock'
import { rollupFee } from '@postern/chains/eip155/rollup-fee'
import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import {
  type AccessList,
  type Address,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { type Accounts, refuseSelfCalls } from '../account/accounts'
import { type Ask, chainOf, throwAsFailure } from '../endpoints/endpoints'
import { checkFees, type Fees, feeTexts, mergeFees, priceCap, suggestFees } from '../endpoints/fees'
import { bytesOf, EvmAddress, Hash, HexBytes, LooseQuantity, Quantity } from '../endpoints/quantities'
import { refusalOf, sendRaw } from '../endpoints/send-raw'
import { type Sent, type SentNote, storable } from '../sent/sent'
import type { NewCalls } from '../sent/sent-calls'
import { nextTransactionNonce, requireTransactionNonce } from './nonce'

const AccessListParam = z.array(z.object({ address: EvmAddress, storageKeys: z.array(Hash) }))

/** No blobs, no authorisations. Null counts as absent. */
const TransactionRequest = z.object({
  from: z.nullish(z.string()),
  to: z.nullish(EvmAddress),
  value: z.nullish(LooseQuantity),
  data: z.nullish(HexBytes),
  input: z.nullish(HexBytes),
  gas: z.nullish(LooseQuantity),
  gasLimit: z.nullish(LooseQuantity),
  gasPrice: z.nullish(LooseQuantity),
  maxFeePerGas: z.nullish(LooseQuantity),
  maxPriorityFeePerGas: z.nullish(LooseQuantity),
  nonce: z.nullish(LooseQuantity),
  chainId: z.nullish(LooseQuantity),
  type: z.nullish(z.enum(['0x0', '0x1', '0x2'])),
  accessList: z.nullish(AccessListParam),
  blobVersionedHashes: z.nullish(z.never()),
  authorizationList: z.nullish(z.never()),
})

export type EvmRequest = {
  readonly from?: string
  readonly to?: Address
  readonly value: bigint
  readonly data: Hex
  readonly gas?: bigint
  readonly nonce?: bigint
  readonly gasPrice?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  /** EIP-2930. With a gas price, the transaction has type 1. */
  readonly accessList?: AccessList
}

/** @throws {Failure} INVALID_PARAMS, CHAIN_DISCONNECTED for another chain */
export function parseTransactionRequest(params: unknown, chainId: number): EvmRequest {
  const [rawRequest] = parseParams(z.tuple([TransactionRequest], z.unknown()), params)
  const {
    data,
    input,
    gas,
    gasLimit,
    chainId: requestedChainId,
    type,
    accessList = [],
    ...request
  } = withoutNulls(rawRequest)
  if (requestedChainId !== undefined && requestedChainId !== BigInt(chainId)) throw new Failure('CHAIN_DISCONNECTED')
  if (data !== undefined && input !== undefined && data.toLowerCase() !== input.toLowerCase())
    throw new Failure('INVALID_PARAMS', { message: 'data and input differ' })
  if (type === '0x0' && accessList.length > 0)
    throw new Failure('INVALID_PARAMS', { message: 'A transaction of type 0x0 has no access list' })
  const limit = gas ?? gasLimit
  const call = { value: request.value ?? 0n, data: data ?? input ?? '0x' }
  if (request.to === undefined && call.data === '0x')
    throw new Failure('INVALID_PARAMS', { message: 'A transaction has a recipient or creates a contract' })
  return {
    ...request,
    ...call,
    ...(limit !== undefined && { gas: limit }),
    ...(accessList.length > 0 && { accessList }),
  }
}

type Subject = Extract<ApprovalSubject, { kind: 'eip155.transaction' }>
export type FixedTransaction = Omit<Subject, 'kind' | 'from'>

/**
 * Prepares a transaction of the plain account.
 *
 * 1. Nonce, gas and fees are fixed here; recipient, value and data stay as requested.
 * 2. A dapp's nonce must be the next one: it replaces nothing and leaves no gap.
 * 3. A balance below value, max fee and rollup fee is INSUFFICIENT_FUNDS. A predicted revert rejects with the chain's
 *    error.
 * 4. A site may not call the user's smart account through its owner.
 * 5. An earlier transaction with unknown outcome comes first (`settle.ts`).
 */
export async function prepareTransaction(
  request: EvmRequest,
  { eoa, chainId }: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<Subject> {
  refuseSelfCalls(eoa, [request])
  const nonce = await nextTransactionNonce({ chainId, account: eoa }, sent, context)
  const ask = chainOf(context)
  const [fees, gas, balance] = await Promise.all([
    feesFor(request, ask),
    request.gas ?? estimate(ask, eoa, request),
    ask('eth_getBalance', [eoa, 'pending'], Quantity),
  ])
  if (request.nonce !== undefined && request.nonce !== nonce)
    throw new Failure('INVALID_PARAMS', { message: `The next nonce of the account is ${nonce}` })
  const fixed = fix({ request, nonce, gas, fees, chainId })
  const rollup = await maxForRollup(fixed, context)
  if (request.value + gas * priceCap(fees) + rollup > balance) throw new Failure('INSUFFICIENT_FUNDS')
  return { kind: 'eip155.transaction', from: eoa, ...withRollup(fixed, rollup) }
}

/**
 * In wei, on top of gas × price: 1.5 times the current fee (three L1 blocks). At most twice, which the modal reserves
 * when the user sends the whole balance.
 */
export async function maxForRollup({ unsigned, fees }: FixedTransaction, context: ChainContext): Promise<bigint> {
  const ask = chainOf(context)
  const chain = {
    networkId: context.networkId,
    cacheKey: context.page,
    now: systemClock().now,
    ask: (method: string, params: readonly unknown[]) => ask(method, params, HexBytes),
  }
  return ((await rollupFee(chain, { unsigned }, BigInt(fees.gas))) * 3n) / 2n
}

export function withRollup(fixed: FixedTransaction, rollup: bigint): FixedTransaction {
  return rollup === 0n ? fixed : { ...fixed, fees: { ...fixed.fees, rollup: String(rollup) } }
}

function feesFor(request: EvmRequest, ask: Ask): Fees | Promise<Fees> {
  if (request.gasPrice !== undefined) return mergeFees(request, { kind: 'legacy', gasPrice: request.gasPrice })
  return suggestFees(ask).then(({ fees }) => mergeFees(request, fees))
}

export function fix(options: {
  readonly request: EvmRequest
  readonly nonce: bigint
  readonly gas: bigint
  readonly fees: Fees
  readonly chainId: number
}): FixedTransaction {
  const { request, nonce, gas, fees, chainId } = options
  const { to, value, data, accessList } = request
  const common = { chainId, nonce: safeNumber(nonce), gas, value, data, ...(to !== undefined && { to }) }
  return {
    nonce: String(nonce),
    call: { value: String(value), data, ...(to !== undefined && { to }) },
    fees: feeTexts(gas, fees),
    unsigned: serialise(common, fees, accessList),
  }
}

function serialise(
  common: { readonly chainId: number; readonly nonce: number; readonly gas: bigint; readonly value: bigint },
  fees: Fees,
  accessList: EvmRequest['accessList'],
): Hex {
  if (fees.kind === 'eip1559') {
    const { maxFeePerGas, maxPriorityFeePerGas } = fees
    return serializeTransaction({ ...common, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas, accessList })
  }
  const { gasPrice } = fees
  return accessList === undefined
    ? serializeTransaction({ ...common, type: 'legacy', gasPrice })
    : serializeTransaction({ ...common, type: 'eip2930', gasPrice, accessList })
}

/** Adds 20% if code runs: the state may change. */
export async function estimate(ask: Ask, from: Address, request: EvmRequest): Promise<bigint> {
  const gas = await ask('eth_estimateGas', [toRpcCall(from, request)], Quantity).catch(throwAsFailure)
  return request.data === '0x' && gas === 21_000n ? gas : (gas * 12n) / 10n
}

export function toRpcCall(from: Address, { to, value, data, accessList }: EvmRequest) {
  return { from, value: numberToHex(value), data, ...(to !== undefined && { to }), ...(accessList && { accessList }) }
}

/** @throws {Failure} TRANSACTION_REPLACED if another transaction came first */
export async function executeTransaction(
  subject: Subject,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<Hex> {
  checkFixed(subject, accounts)
  const sender = { chainId: accounts.chainId, account: accounts.eoa }
  const known = await requireTransactionNonce(BigInt(subject.nonce), sender, sent, context)
  return sendNoted(await signFixed(subject, accounts, context), { known }, accounts, context, sent)
}

/** @throws {Failure} as `sent.begin` and {@link sendRaw} */
export async function sendNoted(
  signed: Hex,
  at: { readonly known: readonly SentNote[]; readonly calls?: NewCalls | undefined },
  { chainId, eoa }: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<Hex> {
  const { nonce = 0 } = parseTransaction(signed)
  const hash = keccak256(signed)
  const note = { chainId, account: eoa, nonce: numberToHex(nonce), hash }
  await sent.begin({ ...note, ...storable(signed) }, at)
  try {
    await sendRaw(signed, context)
  } catch (error) {
    await sent.ended(hash, refusalOf(error), at.calls)
    throw error
  }
  await sent.followed(hash)
  return hash
}

/** Requires that the fields match the bytes. @throws {Failure} INTERNAL */
export function checkFixed(fixed: FixedTransaction, { chainId }: Accounts): void {
  const read = parseTransaction(bytesOf(fixed.unsigned))
  if (read.type !== 'legacy' && read.type !== 'eip2930' && read.type !== 'eip1559') throw new Failure('INTERNAL')
  // Shown, but not part of the bytes.
  const {
    call,
    fees: { rollup: _, ...shownFees },
  } = fixed
  const isSame =
    read.chainId === chainId &&
    read.r === undefined &&
    BigInt(read.nonce ?? 0) === BigInt(fixed.nonce) &&
    (read.value ?? 0n) === BigInt(call.value) &&
    (read.data ?? '0x').toLowerCase() === call.data.toLowerCase() &&
    (read.to ?? undefined)?.toLowerCase() === call.to?.toLowerCase() &&
    JSON.stringify(feeTexts(read.gas ?? 0n, checkFees(feesOf(read)))) === JSON.stringify(shownFees)
  if (!isSame) throw new Failure('INTERNAL')
}

export function feesOf({
  gasPrice,
  maxFeePerGas,
  maxPriorityFeePerGas = 0n,
}: Pick<TransactionSerializable, 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>): Fees {
  return maxFeePerGas === undefined
    ? { kind: 'legacy', gasPrice: gasPrice ?? 0n }
    : { kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }
}

/** Uses only the worker's signature, if it is ours over these bytes. @throws {Failure} TRANSACTION_MISMATCH */
export async function signFixed(
  { unsigned: text }: FixedTransaction,
  { eoa }: Accounts,
  { sign }: ChainContext,
): Promise<Hex> {
  const unsigned = bytesOf(text)
  const signature = signatureOf(parseTransaction(bytesOf(await sign({ kind: 'eip155.transaction', unsigned }))))
  if (signature === null) throw new Failure('TRANSACTION_MISMATCH')
  const signer = await recoverAddress({ hash: keccak256(unsigned), signature })
  if (!isAddressEqual(signer, eoa)) throw new Failure('TRANSACTION_MISMATCH')
  const transaction: TransactionSerializable = parseTransaction(unsigned)
  return serializeTransaction(transaction, signature)
}

export async function signerOf(signed: Hex): Promise<Address | null> {
  const read = parseTransaction(signed)
  const signature = signatureOf(read)
  const { r: _r, s: _s, v: _v, yParity: _yParity, ...rest } = read
  const transaction: TransactionSerializable = rest
  return signature && recoverAddress({ hash: keccak256(serializeTransaction(transaction)), signature })
}

function signatureOf({ r, s, yParity, v }: ReturnType<typeof parseTransaction>) {
  const parity = yParity ?? (v === undefined ? undefined : Number((v + 1n) % 2n))
  if (r === undefined || s === undefined || (parity !== 0 && parity !== 1)) return null
  return { r, s, yParity: parity, v: parity === 0 ? 27n : 28n }
}

function safeNumber(nonce: bigint): number {
  if (nonce > BigInt(Number.MAX_SAFE_INTEGER)) throw new Failure('INVALID_PARAMS')
  return Number(nonce)
}

type WithoutNulls<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> }

function withoutNulls<T extends object>(members: T): WithoutNulls<T>
function withoutNulls(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))
}
