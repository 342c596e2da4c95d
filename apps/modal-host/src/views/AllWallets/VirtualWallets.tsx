import type { WalletEntry } from '@postern/protocol'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useText } from '../../locales/text'
import type { WalletRow } from '../../session/contract'
import { nextIndex } from '../../ui/list'
import { SkeletonRow } from '../../ui/row'
import { WalletRowButton } from '../WalletRowButton'
import styles from './VirtualWallets.module.css'

export type ListedWallet = {
  readonly row: WalletRow
  readonly certified: boolean
  /** Of a wallet that only the directory knows. */
  readonly listed?: WalletEntry
}

/** Height of a row and of the gap under it, in px: `--row-height` and `--space-2` of the theme. */
const rowHeight = 56
const rowGap = 8
/** Rows kept ready above and below those that are seen. */
const overscan = 6
const skeletons = 2

type VirtualWalletsProps = {
  readonly rows: readonly ListedWallet[]
  /** Better rows are on their way. */
  readonly busy: boolean
  readonly hasMore: boolean
  readonly onNearEnd: () => void
}

/** A list of any length of which only what is seen, and a little around it, is in the document. */
export function VirtualWallets({ rows, busy, hasMore, onNearEnd }: VirtualWalletsProps) {
  const t = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const count = rows.length + (hasMore ? skeletons : 0)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    gap: rowGap,
    overscan,
    getItemKey: (index) => rows[index]?.row.id ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const lastSeen = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastSeen >= rows.length - 1) onNearEnd()
  }, [hasMore, lastSeen, rows.length, onNearEnd])

  const walk = (event: KeyboardEvent) => {
    const place = event.target instanceof Element ? event.target.closest('li') : null
    const next = nextIndex(event.key, Number(place?.dataset['index'] ?? -1), rows.length)
    if (next === null) return
    event.preventDefault()
    virtualizer.scrollToIndex(next)
    focusRow(scroller.current, next)
  }
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={-1}>
      <ul
        className={styles.list}
        style={{ blockSize: virtualizer.getTotalSize() }}
        aria-label={t('all.title')}
        aria-busy={busy || undefined}
        onKeyDown={walk}
      >
        {items.map(({ index, key, start }) => {
          const wallet = rows[index]
          return (
            <li
              key={key}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : rows.length}
            >
              {wallet === undefined ? <SkeletonRow /> : <WalletRowButton {...wallet} />}
            </li>
          )
        })}
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
