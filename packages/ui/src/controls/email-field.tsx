import { type FormEvent, useId, useRef, useState } from 'react'
import { ArrowIcon } from '../marks/icons'
import { Spinner } from '../marks/spinner'
import { asciiForms } from './ascii-forms'
import styles from './email-field.module.css'

type EmailFieldProps = {
  readonly label: string
  readonly action: string
  readonly isEmail: (text: string) => boolean
  readonly invalid: string
  readonly busy: boolean
  /** Error of the last attempt. */
  readonly failure: string | null
  readonly isFirst?: boolean
  readonly initial?: string
  readonly onSubmit: (email: string) => void
}

/** Reports an invalid address on blur or submit, until it is valid (spec §5). Submits its {@link asciiForms}. */
export function EmailField({
  label,
  action,
  isEmail,
  invalid,
  busy,
  failure,
  isFirst = false,
  initial = '',
  onSubmit,
}: EmailFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState(initial)
  const [left, setLeft] = useState(false)
  const email = asciiForms(value.trim())
  const isValid = isEmail(email)
  const complaint = left && email !== '' && !isValid ? invalid : failure
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setLeft(true)
    if (isValid) onSubmit(email)
    else input.current?.focus()
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <div className={styles.field} data-bad={complaint !== null || undefined}>
        <input
          ref={input}
          className={styles.input}
          type="email"
          name="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="off"
          autoCorrect="off"
          enterKeyHint="go"
          spellCheck={false}
          maxLength={254}
          placeholder={label}
          aria-label={label}
          aria-invalid={complaint !== null || undefined}
          aria-describedby={`${id}-complaint`}
          value={value}
          readOnly={busy}
          onChange={(event) => setValue(event.target.value)}
          onBlur={() => setLeft(true)}
          data-first={isFirst || undefined}
        />
        <button
          type="submit"
          className={styles.submit}
          aria-label={action}
          aria-disabled={busy || !isValid || undefined}
          aria-busy={busy || undefined}
        >
          {busy ? <Spinner /> : <ArrowIcon />}
        </button>
      </div>
      <p id={`${id}-complaint`} className={styles.complaint} role="alert">
        {complaint}
      </p>
    </form>
  )
}
