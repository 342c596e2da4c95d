import { limits, operationSigns, type TransactionItem, type WaitingTransaction } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import { safePicture } from '@postern/ui/safe-picture'
import type { SentOutcome } from '../../snapshot/contract'
import type { TrackedTransaction } from '../../snapshot/money'

/** Kinds with a label; every other is a "transaction". */
export const operations = [
  'send',
  'receive',
  'trade',
  'approve',
  'mint',
  'burn',
  'deposit',
  'withdraw',
  'borrow',
  'repay',
  'claim',
  'stake',
  'unstake',
  'deploy',
  'execute',
  'pay',
] as const
export type Operation = (typeof operations)[number] | 'other'

/** `decimal` is null for a single NFT. */
export type AmountText = { readonly sign: '' | '+' | '−'; readonly decimal: string | null; readonly unit: string }

export type ActivityEntry = {
  readonly id: string
  readonly networkId: string | null
  readonly hash: string | null
  /** Epoch ms; null if unknown. */
  readonly at: number | null
  readonly status: 'pending' | 'confirmed' | 'failed' | 'replaced'
  readonly operation: Operation
  readonly amounts: readonly AmountText[]
  readonly party: { readonly kind: 'from' | 'to'; readonly address: string } | null
  readonly picture: string | undefined
  readonly isSpam: boolean
  /** Set for a batch that was sent here. */
  readonly callsId?: string
  readonly waiting?: WaitingTransaction
}

type Transfer = NonNullable<TransactionItem['transfers']>[number]

/** A real minus sign (U+2212). */
const signs = { '+': '+', '-': '−' } as const
const maxUnitLength = 16
const maxNameLength = 40

/**
 * The amounts of a transaction; cut text, never computed.
 *
 * 1. For a single transfer the operation decides the sign: `+` for received, deposited, borrowed or claimed, `−` for
 *    withdrawn, repaid or burned, else no sign (spec §9). Several transfers have no signs, outgoing ones first.
 * 2. A quantity is cut to 3 decimals, never rounded up (spec §9), and omitted if not a decimal.
 * 3. Names and symbols are untrusted, on one line. An NFT is shown by name, with the quantity if it is not one.
 */
export function amountsOf(item: TransactionItem): readonly AmountText[] {
  const transfers = item.transfers ?? []
  const isAlone = transfers.length === 1
  const operationSign = isAlone ? operationSigns.get(item.metadata.operationType) : undefined
  const sign = operationSign === undefined ? '' : signs[operationSign]
  const inOrder = [...transfers.filter(isOut), ...transfers.filter((transfer) => !isOut(transfer))]
  return inOrder.flatMap((transfer) => amountOf(transfer, sign) ?? [])
}

function isOut({ direction }: Transfer): boolean {
  return direction === 'out'
}

function amountOf({ nft_info, fungible_info, quantity }: Transfer, sign: AmountText['sign']): AmountText | null {
  if (nft_info) {
    const unit = plainText(nft_info.name ?? '', maxNameLength)
    const count = cutDecimal(quantity.numeric, 0)
    return unit === '' ? null : { sign, decimal: count === '1' || count === '0' ? null : count, unit }
  }
  const decimal = cutDecimal(quantity.numeric, limits.transferDecimals)
  return decimal === null ? null : { sign, decimal, unit: plainText(fungible_info?.symbol ?? '', maxUnitLength) }
}

/** Cuts, never rounds; null if not a decimal. Text may exceed any number type. */
export function cutDecimal(decimal: string, places: number): string | null {
  const [, integer, fraction = ''] = /^-?0*(\d{1,90})(?:\.(\d+))?$/.exec(decimal) ?? []
  if (integer === undefined) return null
  return places === 0 ? integer : `${integer}.${fraction.slice(0, places).padEnd(places, '0')}`
}

export function entryOf(item: TransactionItem): ActivityEntry {
  const { metadata, transfers, id } = item
  const { operationType, hash, status, chain, minedAt } = metadata
  const at = Date.parse(minedAt)
  const all = transfers ?? []
  return {
    id,
    networkId: chain ?? null,
    hash: hash ?? null,
    at: Number.isNaN(at) ? null : at,
    status,
    operation: operations.find((one) => one === operationType) ?? 'other',
    amounts: amountsOf(item),
    party: partyOf(item),
    picture: all.map(pictureOf).find((url) => url !== undefined),
    isSpam: all.length > 0 && all.every(({ nft_info }) => nft_info?.flags?.is_spam === true),
  }
}

const fromOthers: ReadonlySet<string> = new Set(['receive', 'claim', 'borrow'])

function partyOf({ metadata: { operationType, sentFrom, sentTo } }: TransactionItem): ActivityEntry['party'] {
  if (operationType === 'trade' || operationType === 'mint' || operationType === 'burn') return null
  const kind = fromOthers.has(operationType) ? 'from' : 'to'
  const address = plainText(kind === 'from' ? sentFrom : sentTo, 128)
  return address === '' ? null : { kind, address }
}

function pictureOf({ nft_info, fungible_info }: Transfer): string | undefined {
  return safePicture(fungible_info?.icon?.url ?? nft_info?.content?.preview?.url)
}

const kinds = { send: 'send', swap: 'trade', approve: 'approve', pay: 'pay' } as const
const outcomes = {
  confirmed: 'confirmed',
  reverted: 'failed',
  partlyReverted: 'failed',
  dropped: 'failed',
  repriced: 'confirmed',
  cancelled: 'replaced',
  replaced: 'replaced',
  /** The transaction may still be included in a block. */
  unknown: 'pending',
} as const satisfies Record<SentOutcome['kind'], ActivityEntry['status']>

export function entryOfTracked({
  id,
  networkId,
  purpose,
  at,
  callsId,
  status,
}: TrackedTransaction): ActivityEntry | null {
  if (status.kind !== 'sent' && status.kind !== 'ended') return null
  const amount = cutDecimal(purpose.amount, limits.transferDecimals)
  return {
    id,
    networkId,
    hash: status.hash,
    at,
    status: status.kind === 'sent' ? 'pending' : outcomes[status.outcome.kind],
    operation: kinds[purpose.kind],
    amounts: amount === null ? [] : [{ sign: '', decimal: amount, unit: plainText(purpose.symbol, maxUnitLength) }],
    party: purpose.kind === 'swap' ? null : { kind: 'to', address: plainText(purpose.to, 128) },
    picture: undefined,
    isSpam: false,
    ...(callsId !== undefined && { callsId }),
  }
}
