import { useText } from '@postern/ui/locales/text'
import { useActions } from '../../../view-kit/host-context'
import { CodeEntry } from '../../../view-kit/sign-in/CodeEntry'
import { EmailSentTo } from '../../../view-kit/sign-in/EmailSentTo'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useShownChange } from './use-change'

export function ChangeCode({ step, email }: { readonly step: string; readonly email: string }) {
  const t = useText()
  const { submitEmailChangeCode } = useActions()
  const change = useShownChange()
  if (change === null) return null
  return (
    <div className={styles.step}>
      <div>
        <p className={styles.mailed}>{step}</p>
        <p>
          <EmailSentTo text={t('otp.mailed')} email={email} />
        </p>
      </div>
      <CodeEntry
        label={t('otp.label')}
        busy={change.step === 'verifying'}
        failure={change.error}
        onSubmit={submitEmailChangeCode}
      />
    </div>
  )
}
