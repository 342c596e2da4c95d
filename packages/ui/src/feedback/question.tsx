import type { ReactNode } from 'react'
import { Button, ButtonPair } from '../controls/button'
import styles from './question.module.css'

export function AskingRow({ children }: { readonly children: ReactNode }) {
  return <div className={styles.box}>{children}</div>
}

type QuestionProps = {
  readonly text: ReactNode
  readonly failure?: string | null
  readonly cancelLabel: string
  readonly onKeep: () => void
  readonly confirmLabel: string
  readonly onTake: () => void
  readonly busy: boolean
}

export function Question({ text, failure = null, cancelLabel, onKeep, confirmLabel, onTake, busy }: QuestionProps) {
  // After an error, the view has the focus.
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
          {cancelLabel}
        </Button>
        <Button tone="bad" busy={busy} onPress={onTake}>
          {confirmLabel}
        </Button>
      </ButtonPair>
    </div>
  )
}

/** `ref` of a confirmation that replaces a button: focuses its first, safe button and scrolls to it. */
export function focusFirst(question: HTMLElement | null): void {
  question?.querySelector('button')?.focus({ preventScroll: true })
  question?.scrollIntoView({ block: 'nearest' })
}
