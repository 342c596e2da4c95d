import type { ReactNode } from 'react'
import styles from './facts.module.css'

export function Facts({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <dl className={styles.facts} aria-label={label}>
      {children}
    </dl>
  )
}

type FactProps = {
  readonly name: ReactNode
  readonly tall?: boolean
  readonly tone?: 'warn' | 'good'
  /** Absent if the name says it all, or is a heading. */
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
