import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** A box of names with their values, a hairline between them. */
export function Facts({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <dl className={styles.facts} aria-label={label}>
      {children}
    </dl>
  )
}

type FactProps = {
  readonly name: ReactNode
  /** The value is long, and takes lines of its own. */
  readonly tall?: boolean
  readonly tone?: 'warn' | 'good'
  /** Absent where the name says it all, or stands over names that follow. */
  readonly children?: ReactNode
}

export function Fact({ name, tall = false, tone, children }: FactProps) {
  return (
    <div className={styles.fact} data-tall={tall || undefined} data-tone={tone}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  )
}
