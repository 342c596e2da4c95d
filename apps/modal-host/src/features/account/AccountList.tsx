import { Button, TextButton } from '@postern/ui/button'
import { ErrorMessage } from '@postern/ui/error-message'
import type { Icon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import listStyles from '@postern/ui/long-list.module.css'
import { Message, MessageGlyph } from '@postern/ui/message'
import { Unseen } from '@postern/ui/unseen'
import { useSecondsLeft } from '@postern/ui/use-seconds-left'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './account-list.module.css'

/** `--row-height`. */
export const rowHeightPx = 56
const overscan = 8

type ListRowProps = {
  readonly icon: ReactNode
  readonly title: string
  readonly badge?: ReactNode
  readonly detail?: ReactNode
  readonly figure?: string | undefined
  readonly tone?: 'good' | undefined
  readonly side?: ReactNode
  /** On another site. */
  readonly href?: string | undefined
}

export function ListRow({ href, ...parts }: ListRowProps) {
  const t = useText()
  if (href === undefined)
    return (
      <div className={styles.line} data-line>
        <ListRowContent {...parts} />
      </div>
    )
  return (
    <a className={styles.line} href={href} target="_blank" rel="noopener noreferrer" data-line>
      <ListRowContent {...parts} />
      <Unseen>({t('opensInNewTab')})</Unseen>
    </a>
  )
}

function ListRowContent({ icon, title, badge, detail, figure, tone, side }: Omit<ListRowProps, 'href'>) {
  return (
    <>
      {icon}
      <span className={styles.words}>
        <span className={styles.name}>
          <span className={styles.title} title={title}>
            {title}
          </span>
          {badge}
        </span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
      {(figure !== undefined || side !== undefined) && (
        <span className={styles.figures}>
          {figure !== undefined && (
            <bdi className={styles.figure} data-tone={tone} title={figure}>
              {figure}
            </bdi>
          )}
          {side !== undefined && (
            <bdi className={styles.side} title={typeof side === 'string' ? side : undefined}>
              {side}
            </bdi>
          )}
        </span>
      )}
    </>
  )
}

type VirtualListProps = {
  readonly label: string
  readonly count: number
  readonly heightOf: (index: number) => number
  readonly keyOf: (index: number) => string
  readonly render: (index: number) => ReactNode
  /** Must be stable. */
  readonly onNearEnd?: () => void
}

export function VirtualList({ label, count, heightOf, keyOf, render, onNearEnd }: VirtualListProps) {
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    overscan,
    getItemKey: keyOf,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (count > 0 && last >= count - overscan) onNearEnd?.()
  }, [last, count, onNearEnd])
  useEffect(() => {
    // Without links only the list itself can take focus for scrolling.
    if (scroller.current !== null) scroller.current.tabIndex = 0
  }, [])
  return (
    <section ref={scroller} className={listStyles.scroller} aria-label={label}>
      <ul className={listStyles.list} style={{ blockSize: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <li
            key={key}
            className={listStyles.item}
            style={{ transform: `translateY(${start}px)` }}
            aria-posinset={index + 1}
            aria-setsize={count}
          >
            {render(index)}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function ListSkeleton({ headed = false }: { readonly headed?: boolean }) {
  const t = useText()
  return (
    <div className={styles.stack} aria-busy="true">
      <Unseen>{t('loading')}</Unseen>
      {headed && (
        <span className={styles.skeletonHeading} aria-hidden="true">
          <span className={styles.skeletonWords} data-short />
        </span>
      )}
      <RowSkeleton />
      <RowSkeleton />
      <RowSkeleton />
    </div>
  )
}

function RowSkeleton() {
  return (
    <span className={styles.skeletonLine} aria-hidden="true">
      <span className={styles.skeletonIcon} />
      <span className={styles.skeletonLines}>
        <span className={styles.skeletonWords} />
        <span className={styles.skeletonWords} data-short />
      </span>
      <span className={styles.skeletonWords} data-short />
    </span>
  )
}

export function EmptyList({
  icon: Glyph,
  title,
  text,
}: {
  readonly icon: Icon
  readonly title: string
  readonly text: string
}) {
  return (
    <div className={styles.empty}>
      <Message
        picture={
          <MessageGlyph>
            <Glyph />
          </MessageGlyph>
        }
        title={title}
        text={text}
      />
    </div>
  )
}

type ListNoticeProps = {
  readonly text: string
  readonly action: string
  readonly onPress: () => void
  readonly live?: boolean
}

export function ListNotice({ text, action, onPress, live = false }: ListNoticeProps) {
  return (
    <div className={styles.remark} role={live ? 'status' : undefined}>
      <span>{text}</span>
      <TextButton onPress={onPress}>{action}</TextButton>
    </div>
  )
}

export function IncompleteNotice({ title, retry }: { readonly title: string; readonly retry: () => void }) {
  const t = useText()
  return <ListNotice text={title} action={t('tryAgain')} onPress={retry} live />
}

type ListErrorProps = {
  readonly title: string
  readonly text: string
  /** Epoch ms. */
  readonly retryAt: number
  readonly retry: () => void
}

export function ListError({ title, text, retryAt, retry }: ListErrorProps) {
  const t = useText()
  const seconds = useSecondsLeft(retryAt)
  return (
    <div className={styles.failed}>
      <ErrorMessage title={title} text={seconds > 0 ? t('tokens.retryIn', { seconds }) : text} />
      {seconds === 0 && (
        <Button tone="secondary" onPress={retry}>
          {t('tryAgain')}
        </Button>
      )}
    </div>
  )
}
