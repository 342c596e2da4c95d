import { useText } from '../../locales/text'
import { TextButton } from '../../ui/button'
import { MailIcon } from '../../ui/icons-later'
import { Message, MessageGlyph } from '../../ui/message'
import { useErrorText } from '../error-text'
import { useActions } from '../host-context'
import { MailedTo } from '../sign-in/MailedTo'
import { Resend } from '../sign-in/Resend'
import styles from '../sign-in/sign-in.module.css'
import { useLeaveSignIn, useShownSignIn } from '../sign-in/use-sign-in'

/** A browser that this address was not used in before: the mailed link is followed first. The host waits for that, and leads on to the code. */
export default function EmailVerifyDevice() {
  const t = useText()
  const errorText = useErrorText()
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
        text={<MailedTo text={t('device.mailed')} email={email} />}
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
            {errorText(error.code, error.message)}
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
