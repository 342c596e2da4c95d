/** The 56 px line of lists. */
import type { ReactNode } from 'react'
import { classNames } from '../class-names'
import { useText } from '../locales/text'
import { ExternalIcon } from '../marks/icons'
import { Unseen } from '../text/unseen'
import styles from './row.module.css'

type Parts = {
  readonly icon: ReactNode
  readonly title: string
  readonly detail?: ReactNode
  readonly badge?: ReactNode
  readonly trailing?: ReactNode
}

function RowParts({ icon, title, detail, badge, trailing }: Parts) {
  return (
    <>
      {icon}
      <span className={styles.words}>
        <span className={styles.title}>
          <span className={styles.name} title={title}>
            {title}
          </span>
          {badge}
        </span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
      {trailing !== undefined && <span className={styles.trailing}>{trailing}</span>}
    </>
  )
}

type RowProps = Parts & {
  readonly onPress: () => void
  readonly busy?: boolean
  readonly current?: boolean
  readonly onIntent?: () => void
}

export function Row({ onPress, onIntent, busy = false, current = false, ...parts }: RowProps) {
  return (
    <button
      type="button"
      className={classNames(styles.row, styles.button, current && styles.current)}
      onClick={onPress}
      onPointerEnter={onIntent}
      onFocus={onIntent}
      aria-busy={busy || undefined}
      aria-current={current || undefined}
      data-row
    >
      <RowParts {...parts} />
    </button>
  )
}

export function LinkRow({ href, ...parts }: Omit<Parts, 'trailing'> & { readonly href: string }) {
  const t = useText()
  return (
    <a className={classNames(styles.row, styles.button)} href={href} target="_blank" rel="noopener noreferrer" data-row>
      <RowParts
        {...parts}
        trailing={
          <>
            <ExternalIcon className={styles.faint} />
            <Unseen>({t('opensInNewTab')})</Unseen>
          </>
        }
      />
    </a>
  )
}

export function PlainRow(parts: Parts) {
  return (
    <div className={styles.row}>
      <RowParts {...parts} />
    </div>
  )
}

export function SkeletonRow() {
  return (
    <div className={classNames(styles.row, styles.skeleton)} aria-hidden="true">
      <span className={styles.skeletonIcon} />
      <span className={styles.skeletonWords} />
    </div>
  )
}

/** Colour must not be the only sign of a status. */
export function Tag({ tone, children }: { readonly tone: 'active' | 'quiet' | 'warn'; readonly children: ReactNode }) {
  return <span className={classNames(styles.tag, styles[tone])}>{children}</span>
}

/** The value of a setting; cut off if long. */
export function RowValue({ children }: { readonly children: string }) {
  return (
    <bdi className={styles.value} title={children}>
      {children}
    </bdi>
  )
}

export function RowGlyph({ children }: { readonly children: ReactNode }) {
  return <span className={styles.glyph}>{children}</span>
}
