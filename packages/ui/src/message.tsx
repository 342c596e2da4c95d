import type { ReactNode } from 'react'
import styles from './message.module.css'

type MessageProps = {
  readonly picture?: ReactNode
  readonly title: string
  readonly text?: ReactNode
  readonly live?: boolean
}

/** For loading, empty and error states. */
export function Message({ picture, title, text, live = false }: MessageProps) {
  return (
    <div className={styles.notice}>
      {picture}
      <div className={styles.words} role={live ? 'status' : undefined} aria-live={live ? 'polite' : undefined}>
        <p className={styles.title}>{title}</p>
        {text !== undefined && <p className={styles.text}>{text}</p>}
      </div>
    </div>
  )
}

export function MessageGlyph({
  tone = 'neutral',
  children,
}: {
  readonly tone?: 'neutral' | 'warn' | 'bad'
  readonly children: ReactNode
}) {
  return (
    <span className={styles.glyph} data-tone={tone}>
      {children}
    </span>
  )
}
