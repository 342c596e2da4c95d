import { Button } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { TroubleMessage } from '@postern/ui/trouble-message'
import { RetryIcon } from '@postern/ui/view-icons'
import { useErrorText } from '../error-text'
import type { Failure } from './CodeEntry'
import styles from './sign-in.module.css'

type StepFailureProps = { readonly title: string; readonly failure: Failure; readonly onRetry: () => void }

export function StepFailure({ title, failure, onRetry }: StepFailureProps) {
  const t = useText()
  const errorText = useErrorText()
  return (
    <div className={styles.step}>
      <TroubleMessage title={title} text={errorText(failure.code, failure.message)} />
      <Button tone="primary" onPress={onRetry}>
        <RetryIcon />
        {t('tryAgain')}
      </Button>
    </div>
  )
}
