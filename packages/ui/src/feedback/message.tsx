import type { ReactNode } from 'react'
import styles from './message.module.css'

type MessageProps = {
  readonly picture?: ReactNode
  /** Absent if a heading above has the same text. */
  readonly title?: string | undefined
  /** Of the view. */
  readonly heading?: boolean
  readonly text?: ReactNode | undefined
  readonly live?: boolean
}

/** For loading, empty and error states. */
export function Message({ picture, title, heading = false, text, live = false }: MessageProps) {
  const Title = heading ? 'h2' : 'p'
  return (
    <div className={styles.notice}>
      {picture}
      <div className={styles.words} role={live ? 'status' : undefined} aria-live={live ? 'polite' : undefined}>
        {title !== undefined && <Title className={styles.title}>{title}</Title>}
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
