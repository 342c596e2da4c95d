import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { nextIndex } from './list'
import styles from './long-list.module.css'
import { SkeletonRow } from './row'

/** Height of a row and of the gap under it, in px: `--row-height` and `--space-2` of the theme. */
const rowHeight = 56
const rowGap = 8
/** Rows kept ready above and below those that are seen. */
const overscan = 6

type VirtualRowsProps = {
  readonly label: string
  /** Rows that are there. */
  readonly count: number
  readonly keyOf: (index: number) => string | undefined
  readonly render: (index: number) => ReactNode
  /** Shapes of rows to come, after those that are there. */
  readonly coming?: number
  /** Better rows are on their way. */
  readonly busy?: boolean
  /** As high as a list, however few there are. */
  readonly steady?: boolean
  /** The last ones are seen, and more are to come. */
  readonly onNearEnd?: () => void
}

/**
 * Rows of any number, of which only what is seen, and a little around it, is in the document. The arrow keys, Home and End walk through them, as
 * through a `List`.
 */
export function VirtualRows({
  label,
  count,
  keyOf,
  render,
  coming = 0,
  busy = false,
  steady = false,
  onNearEnd,
}: VirtualRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: count + coming,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    gap: rowGap,
    overscan,
    getItemKey: (index) => keyOf(index) ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const hasMore = coming > 0
  const lastSeen = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastSeen >= count - 1) onNearEnd?.()
  }, [hasMore, lastSeen, count, onNearEnd])

  const walk = (event: KeyboardEvent) => {
    const place = event.target instanceof Element ? event.target.closest('li') : null
    const next = nextIndex(event.key, Number(place?.dataset['index'] ?? -1), count)
    if (next === null) return
    event.preventDefault()
    virtualizer.scrollToIndex(next)
    focusRow(scroller.current, next)
  }
  return (
    <div ref={scroller} className={styles.scroller} data-steady={steady || undefined} tabIndex={-1}>
      <ul
        className={styles.list}
        style={{ blockSize: virtualizer.getTotalSize() }}
        aria-label={label}
        aria-busy={busy || undefined}
        onKeyDown={walk}
      >
        {items.map(({ index, key, start }) => (
          <li
            key={key}
            className={styles.item}
            style={{ transform: `translateY(${start}px)` }}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={hasMore ? -1 : count}
          >
            {index < count ? render(index) : <SkeletonRow />}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Focuses a row that may come into the document only with the next frame. */
function focusRow(scroller: HTMLElement | null, index: number): void {
  const find = () => scroller?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`)
  const row = find()
  if (row) row.focus({ preventScroll: true })
  else requestAnimationFrame(() => find()?.focus({ preventScroll: true }))
}
