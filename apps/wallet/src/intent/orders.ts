/**
 * Signed orders of known exchanges: what the owner gives, and what comes for it. Sources: Seaport 1.6
 * (OrderComponents), CoW Protocol (GPv2Order), 0x v4 (LimitOrder, RfqOrder, OtcOrder), UniswapX (a Permit2 witness with outputs).
 */

import { tokenAmount } from '@postern/chains/eip155-decode-call'
import { isSameAddress } from '@postern/chains/same-address'
import * as z from 'zod/mini'
import { Address, Uint } from './evm-values'
import type { Amount, DescribeContext, IntentStep } from './intent'

type Order = Pick<Extract<IntentStep, { kind: 'order' }>, 'gives' | 'gets' | 'expiry'>
type Currency = DescribeContext['nativeCurrency']

const zero = '0x0000000000000000000000000000000000000000'
/** CoW Protocol buys the native currency under this address. Source: GPv2Transfer.BUY_ETH_ADDRESS */
const cowNative = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
/** UniswapX pays the native currency under this address. Source: CurrencyLibrary.NATIVE */
const uniswapNative = zero

/** What a person can read: a longer order counts as unreadable. */
const maxItems = 64

/** Native, ERC-20, ERC-721, ERC-1155, and the last two with any item of a list. */
const ItemType = z.pipe(
  Uint,
  z.transform((value) => Number(value)),
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
})
const Outputs = z.object({
  witness: z.looseObject({
    outputs: z
      .array(
        z.object({
          token: Address,
          recipient: Address,
          /** The least that is paid. */
          endAmount: z.optional(Uint),
          amount: z.optional(Uint),
        }),
      )
      .check(z.maxLength(maxItems)),
  }),
  permitted: z.object({ token: Address, amount: Uint }),
  deadline: Uint,
})

const largest = (one: bigint, other: bigint) => (one > other ? one : other)
const smallest = (one: bigint, other: bigint) => (one < other ? one : other)

const BulkOrder = z.object({ tree: z.array(z.unknown()) })

const zeroExTypes = ['LimitOrder', 'RfqOrder', 'OtcOrder']
const maxBulkOrders = 32

/** If a message of this type is an order or a permit, whether or not it can be read. */
export function isOrderOrPermit(primaryType: string): boolean {
  return (
    primaryType.startsWith('Permit') || ['OrderComponents', 'BulkOrder', 'Order', ...zeroExTypes].includes(primaryType)
  )
}

/** Null for other messages. `owner` signs. */
export function readOrders(
  primaryType: string,
  message: unknown,
  { owner, native }: { readonly owner: string; readonly native: Currency },
): readonly Order[] | null {
  if (primaryType === 'OrderComponents') {
    const order = Seaport.safeParse(message)
    return order.success ? [seaport(order.data, native)] : null
  }
  if (primaryType === 'BulkOrder') return bulkOrders(message, native)
  if (primaryType === 'Order') {
    const order = CowSwap.safeParse(message)
    return order.success ? [cowSwap(order.data, owner, native)] : null
  }
  if (zeroExTypes.includes(primaryType)) {
    const order = ZeroEx.safeParse(message)
    return order.success ? [zeroEx(order.data)] : null
  }
  if (primaryType.startsWith('PermitWitness')) {
    const order = Outputs.safeParse(message)
    return order.success ? [uniswapX(order.data, native)] : null
  }
  return null
}

/** The orders in Seaport's tree, without the empty ones that pad it. */
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
  return { raw: `${raw}`, token, tokenId: `${identifierOrCriteria}`, decimals: 0 }
}

function cowSwap(order: z.infer<typeof CowSwap>, owner: string, native: Currency): Order {
  const to = isSameAddress(order.receiver, zero) ? owner : order.receiver
  return {
    gives: [tokenAmount(order.sellToken, order.sellAmount + order.feeAmount)],
    gets: [{ amount: paid(order.buyToken, order.buyAmount, { as: cowNative, native }), to }],
    expiry: Number(order.validTo),
  }
}

/** `as`: the exchange's own name of the native currency, which is no token. */
function paid(token: string, raw: bigint, { as, native }: { readonly as: string; readonly native: Currency }): Amount {
  return isSameAddress(token, as) ? { raw: `${raw}`, ...native } : tokenAmount(token, raw)
}

function zeroEx({ makerToken, takerToken, makerAmount, takerAmount, maker }: z.infer<typeof ZeroEx>): Order {
  return {
    gives: [tokenAmount(makerToken, makerAmount)],
    gets: [{ amount: tokenAmount(takerToken, takerAmount), to: maker }],
  }
}

function uniswapX({ witness, permitted, deadline }: z.infer<typeof Outputs>, native: Currency): Order {
  return {
    gives: [tokenAmount(permitted.token, permitted.amount)],
    gets: witness.outputs.map(({ token, recipient, endAmount, amount }) => ({
      amount: paid(token, endAmount ?? amount ?? 0n, { as: uniswapNative, native }),
      to: recipient,
    })),
    expiry: Number(deadline),
  }
}
