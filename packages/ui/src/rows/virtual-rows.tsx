import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { GroupHeading, groupHeadingPx } from './group-heading'
import { nextIndex } from './list'
import styles from './long-list.module.css'
import { SkeletonRow } from './row'

/** `--row-height` and `--space-2`. */
const rowHeight = 56
const rowGap = 8
const overscan = 6

type VirtualRowsProps = {
  readonly label: string
  readonly count: number
  readonly keyOf: (index: number) => string | undefined
  readonly render: (index: number) => ReactNode
  readonly headingOf?: (index: number) => string | undefined
  readonly placeholderCount?: number
  readonly busy?: boolean
  /** Takes the full height, however few rows there are. */
  readonly fillsHeight?: boolean
  /** The last rows are visible and more exist. */
  readonly onNearEnd?: () => void
}

/** Renders only visible rows and a few around them. */
export function VirtualRows({
  label,
  count,
  keyOf,
  render,
  headingOf = () => undefined,
  placeholderCount = 0,
  busy = false,
  fillsHeight = false,
  onNearEnd,
}: VirtualRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: count + placeholderCount,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeight + (headingOf(index) === undefined ? 0 : groupHeadingPx),
    gap: rowGap,
    overscan,
    getItemKey: (index) => keyOf(index) ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const hasMore = placeholderCount > 0
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
    <div ref={scroller} className={styles.scroller} data-steady={fillsHeight || undefined} tabIndex={-1}>
      <ul
        className={styles.list}
        style={{ blockSize: virtualizer.getTotalSize() }}
        aria-label={label}
        aria-busy={busy || undefined}
        onKeyDown={walk}
        onFocus={({ target }) => bringIn(target)}
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
            <Heading title={headingOf(index)} />
            {index < count ? render(index) : <SkeletonRow />}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Heading({ title }: { readonly title: string | undefined }) {
  return title !== undefined && <GroupHeading>{title}</GroupHeading>
}

/** Firefox leaves the row half visible. Not after a press: the row would move away under the pointer. */
function bringIn(row: HTMLElement): void {
  if (row.matches(':focus-visible')) row.scrollIntoView({ block: 'nearest' })
}

/** The row may be rendered only in the next frame. */
function focusRow(scroller: HTMLElement | null, index: number): void {
  const find = () => scroller?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`)
  const row = find()
  if (row) row.focus({ preventScroll: true })
  else requestAnimationFrame(() => find()?.focus({ preventScroll: true }))
}
