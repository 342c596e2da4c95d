import type { Order } from './order'

/** The seller's status precedes the window's: the user may close the window after paying. */
export type Stage =
  | 'preparing'
  | 'link'
  | 'waiting'
  /** The window is closed, and the seller knows of no purchase. */
  | 'closed'
  /** Paid, not yet delivered. */
  | 'pending'
  | 'delivered'
  | 'failed'
  | 'unreachable'
  | 'lost'
  /** The gateway cannot query the seller. */
  | 'untold'

export function stageOf(
  { handOver, purchase }: Pick<Order, 'handOver' | 'purchase'>,
  { isClosed, news }: { readonly isClosed: boolean; readonly news: 'none' | 'lost' | 'untold' },
): Stage {
  if (purchase !== null && purchase.status !== 'pending') return purchase.status
  if (handOver.kind === 'preparing') return 'preparing'
  if (handOver.kind === 'failed') return 'unreachable'
  if (purchase !== null) return 'pending'
  if (news === 'lost') return 'lost'
  if (handOver.kind === 'ready') return 'link'
  if (news === 'untold') return 'untold'
  return isClosed ? 'closed' : 'waiting'
}
