import type { ReactNode } from 'react'
import styles from './unseen.module.css'

/** For ears only. */
export function Unseen({ children }: { readonly children: ReactNode }) {
  return <span className={styles.unseen}>{children}</span>
}

/** What changes while somebody waits, said when it changes. The element stays; only its words come and go. */
export function Status({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.unseen} role="status" aria-live="polite">
      {children}
    </div>
  )
}
