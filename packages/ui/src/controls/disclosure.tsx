import type { ReactNode } from 'react'
import { ForwardIcon } from '../marks/view-icons'
import styles from './disclosure.module.css'

type DisclosureProps = {
  readonly title: string
  readonly filled?: boolean
  readonly children: ReactNode
}

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
