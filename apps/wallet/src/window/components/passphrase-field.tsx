import { LabelledTextButton, TextButton } from '@postern/ui/button'
import { type RefObject, useEffect, useId, useState } from 'react'
import { useSay } from '../say-context'
import { Complaint } from './complaint'
import styles from './passphrase-field.module.css'

type PassphraseFieldProps = {
  readonly ref: RefObject<HTMLInputElement | null>
  readonly label: string
  readonly autoComplete: 'current-password' | 'new-password'
  readonly complaint: string
  readonly onEdit: (passphrase: string) => void
  readonly isFirst?: boolean
  readonly suggest?: () => Promise<string>
}

/** Uncontrolled: React would write a controlled value into the `value` attribute, and so into the markup. */
export function PassphraseField({
  ref,
  label,
  autoComplete,
  complaint,
  onEdit,
  isFirst = false,
  suggest,
}: PassphraseFieldProps) {
  const say = useSay()
  const id = useId()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (isFirst) ref.current?.focus()
  }, [isFirst, ref])
  const fill = async (generate: () => Promise<string>) => {
    const passphrase = await generate()
    if (ref.current === null) return
    ref.current.value = passphrase
    setShown(true)
    onEdit(passphrase)
  }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        <input
          ref={ref}
          id={id}
          className={styles.input}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={256}
          aria-describedby={`${id}-complaint`}
          aria-invalid={complaint !== ''}
          onChange={({ target }) => onEdit(target.value)}
        />
        <LabelledTextButton pressed={isShown} onPress={() => setShown(!isShown)}>
          {say(isShown ? 'hide' : 'show')}
        </LabelledTextButton>
      </div>
      {suggest !== undefined && (
        <div className={styles.suggest}>
          <TextButton onPress={() => void fill(suggest)}>{say('passphrase.suggest')}</TextButton>
        </div>
      )}
      <Complaint id={`${id}-complaint`}>{complaint}</Complaint>
    </div>
  )
}
