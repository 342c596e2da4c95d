import { type SyntheticEvent, useId, useState } from 'react'
import styles from './phrase-field.module.css'

const plain = (text: string) => text.trim().normalize('NFC').toLowerCase()

type PhraseFieldProps = {
  readonly label: string
  readonly phrase: string
  readonly onMatch: (matches: boolean) => void
}

/**
 * Takes a confirming phrase.
 *
 * 1. The user must type it: a pasted or dropped phrase may be unread.
 * 2. Case, outer spaces and the Unicode form do not matter: some keyboards type a letter and its accent apart.
 */
export function PhraseField({ label, phrase, onMatch }: PhraseFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const write = (next: string) => {
    setTyped(next)
    onMatch(plain(next) === plain(phrase))
  }
  return (
    <div className={styles.phrase}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.field}>
        <input
          id={id}
          className={styles.input}
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={64}
          value={typed}
          onChange={({ target }) => write(target.value)}
          onPaste={refuse}
          onDrop={refuse}
        />
      </div>
    </div>
  )
}

/** Rule 1. */
function refuse(event: SyntheticEvent): void {
  event.preventDefault()
}
