import type { ReactNode } from 'react'
import styles from './unseen.module.css'

export function Unseen({ children }: { readonly children: ReactNode }) {
  return <span className={styles.unseen}>{children}</span>
}

/** The element stays, so that screen readers announce new text. */
export function Status({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.unseen} role="status" aria-live="polite">
      {children}
    </div>
  )
}
