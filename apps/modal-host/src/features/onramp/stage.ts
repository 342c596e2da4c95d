import type { Order } from './order'

/**
 * Where a purchase stands, as its visitor sees it. What the seller says of it comes before what its window does: somebody who paid may close that.
 */
export type Stage =
  | 'preparing'
  /** The browser opens no window: a link has to be pressed. */
  | 'link'
  /** In the seller's window. */
  | 'waiting'
  /** That is gone, and the seller knows of no purchase. */
  | 'closed'
  /** Paid, and on its way. */
  | 'pending'
  | 'delivered'
  | 'failed'
  /** Nobody sells now. */
  | 'unreachable'
  /** Nobody says how it stands. */
  | 'lost'
  /** The gateway cannot ask the seller at all: the visitor alone is told. */
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
