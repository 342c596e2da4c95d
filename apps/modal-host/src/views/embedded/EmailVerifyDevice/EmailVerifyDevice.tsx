import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { MailIcon } from '@postern/ui/view-icons'
import { useActions } from '../../../view-kit/host-context'
import { useErrorMessage } from '../../../view-kit/messages/error-message'
import { EmailSentTo } from '../../../view-kit/sign-in/EmailSentTo'
import { Resend } from '../../../view-kit/sign-in/Resend'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useLeaveSignIn, useShownSignIn } from '../../../view-kit/sign-in/use-sign-in'

/** A new browser: the emailed link comes first, then the code view. */
export default function EmailVerifyDevice() {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { resendEmail } = useActions()
  const leave = useLeaveSignIn()
  const signIn = useShownSignIn('email')
  if (signIn === null) return null
  const { email, error, resendAt, step } = signIn
  return (
    <div className={styles.step}>
      <Message
        picture={
          <MessageGlyph>
            <MailIcon />
          </MessageGlyph>
        }
        title={t('device.title')}
        text={<EmailSentTo text={t('device.mailed')} email={email} />}
      />
      <ol className={styles.steps}>
        <li className={styles.one}>{t('device.open')}</li>
        <li className={styles.one}>{t('device.approve')}</li>
      </ol>
      <div className={styles.center}>
        {error === null ? (
          <p className={styles.waiting} role="status">
            {t('device.waiting')}
          </p>
        ) : (
          <p className={styles.failure} role="alert">
            {errorMessage(error.code, error.message)}
          </p>
        )}
      </div>
      <div className={styles.links}>
        <Resend resendAt={resendAt} sending={step === 'sending' && error === null} onResend={resendEmail} />
        <TextButton onPress={leave}>{t('email.other')}</TextButton>
      </div>
    </div>
  )
}
