import type { ErrorCode } from '@postern/protocol'
import { CodeField } from '@postern/ui/code-field'
import { useText } from '@postern/ui/locales/text'
import { Status } from '@postern/ui/unseen'
import { useId } from 'react'
import { useErrorMessage } from '../error-message'
import styles from './sign-in.module.css'

export type Failure = { readonly code: ErrorCode; readonly message: string }

type CodeEntryProps = {
  readonly label: string
  readonly busy: boolean
  readonly failure: Failure | null
  readonly onSubmit: (code: string) => void
  /** A complete code became incomplete. */
  readonly onIncomplete?: () => void
}

export function CodeEntry({ label, busy, failure, onSubmit, onIncomplete }: CodeEntryProps) {
  const t = useText()
  const errorMessage = useErrorMessage()
  const id = useId()
  return (
    <div className={styles.entry}>
      <CodeField
        label={label}
        describedBy={id}
        busy={busy}
        refusal={failure}
        onComplete={onSubmit}
        {...(onIncomplete !== undefined && { onIncomplete })}
      />
      <p id={id} className={styles.failure} role="alert">
        {failure === null || busy ? '' : errorMessage(failure.code, failure.message)}
      </p>
      <Status>{busy ? t('code.checking') : ''}</Status>
    </div>
  )
}
