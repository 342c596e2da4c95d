import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.caption}>
        {title}
      </h2>
      {children}
    </section>
  )
}
