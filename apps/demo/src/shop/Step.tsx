import { type ReactNode, useId } from 'react'
import { Code, type SourceFile } from './code/Code'
import styles from './step.module.css'

type StepProps = {
  readonly title: string
  readonly text: string
  readonly files: readonly SourceFile[]
  readonly children: ReactNode
}

/** What the visitor does, with its code beside it. */
export function Step({ title, text, files, children }: StepProps) {
  const id = useId()
  return (
    <section className={styles.step} aria-labelledby={id}>
      <div className={styles.live}>
        <h2 id={id}>{title}</h2>
        <p className={styles.text}>{text}</p>
        {children}
      </div>
      <Code title={title} files={files} />
    </section>
  )
}
