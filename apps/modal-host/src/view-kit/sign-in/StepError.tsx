import type { ErrorCode } from '@postern/protocol'
import { Button } from '@postern/ui/button'
import { ErrorMessage } from '@postern/ui/error-message'
import { useText } from '@postern/ui/locales/text'
import { RetryIcon } from '@postern/ui/view-icons'
import { useErrorMessage } from '../messages/error-message'
import styles from './sign-in.module.css'

export type Failure = { readonly code: ErrorCode; readonly message: string }

type StepErrorProps = { readonly title: string; readonly failure: Failure; readonly onRetry: () => void }

export function StepError({ title, failure, onRetry }: StepErrorProps) {
  const t = useText()
  const errorMessage = useErrorMessage()
  return (
    <div className={styles.step}>
      <ErrorMessage title={title} text={errorMessage(failure.code, failure.message)} />
      <Button tone="primary" onPress={onRetry}>
        <RetryIcon />
        {t('tryAgain')}
      </Button>
    </div>
  )
}
