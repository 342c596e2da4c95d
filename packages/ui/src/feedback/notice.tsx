import type { ReactNode } from 'react'
import { CautionIcon, type Icon } from '../marks/icons'
import { InfoIcon, StopIcon } from '../marks/view-icons'
import styles from './notice.module.css'

/** Each tone has its own icon: colour must not be the only sign. */
export type NoticeTone = 'bad' | 'warn' | 'info'

const icons: Readonly<Record<NoticeTone, Icon>> = { bad: StopIcon, warn: CautionIcon, info: InfoIcon }

type NoticeProps = {
  readonly tone: NoticeTone
  readonly title: ReactNode
  readonly text?: ReactNode
  readonly children?: ReactNode
}

export function Notice({ tone, title, text, children }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div className={styles.notice} data-tone={tone}>
      <Icon small className={styles.icon} />
      <div className={styles.words}>
        <p>
          <strong className={styles.title}>{title}</strong> {text}
        </p>
        {children !== undefined && <div className={styles.actions}>{children}</div>}
      </div>
    </div>
  )
}
