import type { ReactNode } from 'react'
import styles from './disclosure.module.css'
import { ForwardIcon } from './icons-later'

type DisclosureProps = {
  readonly title: string
  /** On a ground of its own. */
  readonly filled?: boolean
  readonly children: ReactNode
}

/** What few want to read, one tap away. */
export function Disclosure({ title, filled = false, children }: DisclosureProps) {
  return (
    <details className={styles.details} data-filled={filled || undefined}>
      <summary className={styles.summary}>
        {title}
        <ForwardIcon small className={styles.turn} />
      </summary>
      {children}
    </details>
  )
}
