/**
 * Sources: Seaport 1.6 (OrderComponents), CoW Protocol (GPv2Order), 0x v4 (LimitOrder, RfqOrder, OtcOrder), UniswapX (a
 * Permit2 witness with outputs).
 */

import { permit2, tokenAmount } from '@postern/chains/eip155/decode-call'
import { isSameAddress } from '@postern/chains/same-address'
import * as z from 'zod/mini'
import type { Amount, DescribeContext, IntentStep } from '../../../intent/intent'
import { Address, Uint } from './values'
import { type Exchange, isVerifier } from './verifiers'
import type { Signed, Signing } from './wrapped-calls'

type Order = Pick<Extract<IntentStep, { kind: 'order' }>, 'gives' | 'gets' | 'expiry'>
type Currency = DescribeContext['nativeCurrency']

const zero = '0x0000000000000000000000000000000000000000'
/** Source: GPv2Transfer.BUY_ETH_ADDRESS */
const cowNative = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
/** Source: CurrencyLibrary.NATIVE */
const uniswapNative = zero

/** A longer order counts as unreadable. */
const maxItems = 64

/** Native, ERC-20, ERC-721, ERC-1155, and the last two with criteria: any item, or any of a list. */
const ItemType = z.pipe(
  z.pipe(
    Uint,
    z.transform((value) => Number(value)),
  ),
  z.number().check(z.lte(5)),
)
const SeaportItem = z.object({
  itemType: ItemType,
  token: Address,
  identifierOrCriteria: Uint,
  startAmount: Uint,
  endAmount: Uint,
})
const Seaport = z.object({
  offer: z.array(SeaportItem).check(z.maxLength(maxItems)),
  consideration: z.array(z.extend(SeaportItem, { recipient: Address })).check(z.maxLength(maxItems)),
  endTime: Uint,
})
const CowSwap = z.object({
  sellToken: Address,
  buyToken: Address,
  receiver: Address,
  sellAmount: Uint,
  buyAmount: Uint,
  validTo: Uint,
  feeAmount: Uint,
})
const ZeroEx = z.object({
  makerToken: Address,
  takerToken: Address,
  makerAmount: Uint,
  takerAmount: Uint,
  maker: Address,
  expiry: z.optional(Uint),
  expiryAndNonce: z.optional(Uint),
})
/** Only the least amount is sure. */
const Output = z.object({
  token: Address,
  recipient: Address,
  startAmount: z.optional(Uint),
  endAmount: z.optional(Uint),
  minAmount: z.optional(Uint),
  amount: z.optional(Uint),
})
const Outputs = z.array(Output).check(z.maxLength(maxItems))
const UniswapX = z.object({
  witness: z.union([
    z.looseObject({ outputs: Outputs }),
    z.pipe(
      z.looseObject({ baseOutputs: Outputs }),
      z.transform(({ baseOutputs }) => ({ outputs: baseOutputs })),
    ),
  ]),
  permitted: z.object({ token: Address, amount: Uint }),
  spender: Address,
  deadline: Uint,
})

const largest = (one: bigint, other: bigint) => (one > other ? one : other)
const smallest = (one: bigint, other: bigint) => (one < other ? one : other)

const BulkOrder = z.object({ tree: z.array(z.unknown()) })

const zeroExTypes = ['LimitOrder', 'RfqOrder', 'OtcOrder']
const maxBulkOrders = 32

/** `promised`: the contract need not keep the order. */
export type Orders = { readonly kind: 'kept'; readonly orders: readonly Order[] } | { readonly kind: 'promised' }

export function readOrders(signed: Signed, { owner, native, networkId }: Signing): Orders | null {
  const { primaryType, message, contract } = signed
  const at = (exchange: Exchange, verifier: string, orders: readonly Order[] | null): Orders | null =>
    orders === null ? null : isVerifier(exchange, networkId, verifier) ? { kind: 'kept', orders } : { kind: 'promised' }
  if (primaryType === 'OrderComponents') {
    const order = Seaport.safeParse(message)
    return at('seaport', contract, order.success ? [seaport(order.data, native)] : null)
  }
  if (primaryType === 'BulkOrder') return at('seaport', contract, bulkOrders(message, native))
  if (primaryType === 'Order') {
    const order = CowSwap.safeParse(message)
    return at('cow', contract, order.success ? [cowSwap(order.data, owner, native)] : null)
  }
  if (zeroExTypes.includes(primaryType)) {
    const order = ZeroEx.safeParse(message)
    return at('zeroEx', contract, order.success ? [zeroEx(order.data)] : null)
  }
  if (primaryType.startsWith('PermitWitness')) {
    const order = UniswapX.safeParse(message)
    if (!order.success) return null
    // Permit2 leaves the witness to the spender.
    if (!isSameAddress(contract, permit2)) return { kind: 'promised' }
    return at('uniswapX', order.data.spender, [uniswapX(order.data, native)])
  }
  return null
}

/** Omits the empty orders that pad the tree. */
function bulkOrders(message: unknown, native: Currency): readonly Order[] | null {
  const bulk = BulkOrder.safeParse(message)
  if (!bulk.success) return null
  const read = bulk.data.tree.flat(Number.POSITIVE_INFINITY).map((leaf) => Seaport.safeParse(leaf))
  const orders = read.flatMap(({ data }) => (data === undefined || data.offer.length === 0 ? [] : [data]))
  if (read.some(({ success }) => !success) || orders.length === 0 || orders.length > maxBulkOrders) return null
  return orders.map((order) => seaport(order, native))
}

function seaport({ offer, consideration, endTime }: z.infer<typeof Seaport>, native: Currency): Order {
  return {
    gives: offer.map((item) => itemAmount(item, largest(item.startAmount, item.endAmount), native)),
    gets: consideration.map((item) => ({
      amount: itemAmount(item, smallest(item.startAmount, item.endAmount), native),
      to: item.recipient,
    })),
    expiry: Number(endTime),
  }
}

function itemAmount(
  { itemType, token, identifierOrCriteria }: z.infer<typeof SeaportItem>,
  raw: bigint,
  native: Currency,
): Amount {
  if (itemType === 0) return { raw: `${raw}`, ...native }
  if (itemType === 1) return tokenAmount(token, raw)
  if (itemType <= 3) return { raw: `${raw}`, token, tokenId: `${identifierOrCriteria}`, decimals: 0 }
  return { raw: `${raw}`, token, anyItem: identifierOrCriteria === 0n ? 'collection' : 'list', decimals: 0 }
}

function cowSwap(order: z.infer<typeof CowSwap>, owner: string, native: Currency): Order {
  const to = isSameAddress(order.receiver, zero) ? owner : order.receiver
  return {
    gives: [tokenAmount(order.sellToken, order.sellAmount + order.feeAmount)],
    gets: [{ amount: paid(order.buyToken, order.buyAmount, { as: cowNative, native }), to }],
    expiry: Number(order.validTo),
  }
}

/** `as`: the exchange's address of the native currency. */
function paid(token: string, raw: bigint, { as, native }: { readonly as: string; readonly native: Currency }): Amount {
  return isSameAddress(token, as) ? { raw: `${raw}`, ...native } : tokenAmount(token, raw)
}

function zeroEx(order: z.infer<typeof ZeroEx>): Order {
  const { makerToken, takerToken, makerAmount, takerAmount, maker, expiry, expiryAndNonce } = order
  // The first 64 of 256 bits.
  const end = expiry ?? (expiryAndNonce === undefined ? undefined : expiryAndNonce >> 192n)
  return {
    gives: [tokenAmount(makerToken, makerAmount)],
    gets: [{ amount: tokenAmount(takerToken, takerAmount), to: maker }],
    ...(end !== undefined && { expiry: Number(end) }),
  }
}

function uniswapX({ witness, permitted, deadline }: z.infer<typeof UniswapX>, native: Currency): Order {
  return {
    gives: [tokenAmount(permitted.token, permitted.amount)],
    gets: witness.outputs.map(({ token, recipient, ...amounts }) => ({
      amount: paid(token, leastOf(amounts), { as: uniswapNative, native }),
      to: recipient,
    })),
    expiry: Number(deadline),
  }
}

function leastOf(amounts: Omit<z.infer<typeof Output>, 'token' | 'recipient'>): bigint {
  const given = Object.values(amounts).filter((amount) => amount !== undefined)
  return given.length === 0 ? 0n : given.reduce(smallest)
}
