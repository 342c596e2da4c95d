import type { ReactNode } from 'react'
import { Button, ButtonPair } from './button'
import { focusFirst } from './focus-first'
import styles from './question.module.css'

/** A row and the question about it, in one box. */
export function AskingRow({ children }: { readonly children: ReactNode }) {
  return <div className={styles.box}>{children}</div>
}

type QuestionProps = {
  /** What would be lost; while it is under way, what is waited for. */
  readonly text: ReactNode
  /** How it failed. */
  readonly failure?: string | null
  readonly keep: string
  readonly onKeep: () => void
  /** What cannot be undone. */
  readonly take: string
  readonly onTake: () => void
  readonly busy: boolean
}

/** One more question before what cannot be undone (VISUAL): the safe answer stands first, and is as easy to hit. */
export function Question({ text, failure = null, keep, onKeep, take, onTake, busy }: QuestionProps) {
  // Where it comes back to a view with how it went, the view's own focus stays.
  const isNew = !busy && failure === null
  return (
    <div className={styles.question} ref={isNew ? focusFirst : null}>
      <p className={styles.text} role="status">
        {text}
      </p>
      <p className={styles.failure} role="alert">
        {failure}
      </p>
      <ButtonPair>
        <Button tone="secondary" disabled={busy} onPress={onKeep}>
          {keep}
        </Button>
        <Button tone="bad" busy={busy} onPress={onTake}>
          {take}
        </Button>
      </ButtonPair>
    </div>
  )
}
