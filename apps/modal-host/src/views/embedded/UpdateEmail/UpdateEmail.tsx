import { EmailField } from '@postern/ui/email-field'
import { useText } from '@postern/ui/locales/text'
import { isEmail } from '../../../../../../packages/protocol/src/validation/email'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import { useErrorMessage } from '../../../view-kit/messages/error-message'
import { EmailSentTo } from '../../../view-kit/sign-in/EmailSentTo'
import styles from '../../../view-kit/sign-in/sign-in.module.css'

export default function UpdateEmail() {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { changeEmail } = useActions()
  const email = useSnapshot((snapshot) => snapshot.embedded?.email ?? '')
  const change = useSnapshot((snapshot) => snapshot.emailChange)
  const error = change?.error ?? null
  return (
    <div className={styles.step}>
      <p>
        <EmailSentTo text={t('updateEmail.present')} email={email} />
      </p>
      <EmailField
        label={t('updateEmail.new')}
        action={t('updateEmail.continue')}
        isEmail={isEmail}
        invalid={t('email.invalid')}
        busy={change?.step === 'sending' && error === null}
        failure={error === null ? null : errorMessage(error.code, error.message)}
        isFirst
        onSubmit={changeEmail}
      />
      <p className={styles.mailed}>{t('updateEmail.hint')}</p>
    </div>
  )
}
