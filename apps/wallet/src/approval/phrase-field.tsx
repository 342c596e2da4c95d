import { useText } from '@postern/ui/locales/text'
import { type SyntheticEvent, useId, useState } from 'react'
import styles from './phrase-field.module.css'

const plain = (text: string) => text.trim().normalize('NFC').toLowerCase()

type PhraseFieldProps = {
  readonly phrase: string
  readonly busy: boolean
  readonly onMatch: (matches: boolean) => void
}

/**
 * Takes a phrase that says what is confirmed.
 *
 * 1. It must be typed. A page that hides the frame could have the user paste or drop it unread.
 * 2. Case, outer spaces and the Unicode form do not matter. Some keyboards type a letter and its accent apart.
 */
export function PhraseField({ phrase, busy, onMatch }: PhraseFieldProps) {
  const t = useText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const write = (next: string) => {
    setTyped(next)
    onMatch(plain(next) === plain(phrase))
  }
  return (
    <div className={styles.phrase}>
      <label className={styles.label} htmlFor={id}>
        {t('delete.typePhrase', { phrase })}
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
          readOnly={busy}
          value={typed}
          onChange={({ target }) => write(target.value)}
          onPaste={refuse}
          onDrop={refuse}
        />
      </div>
    </div>
  )
}

/** 1 */
function refuse(event: SyntheticEvent): void {
  event.preventDefault()
}
