import { useRef } from 'react'
import { useText } from '../../locales/text'
import { TextButton } from '../../ui/button'
import { useActions } from '../host-context'
import { useKeptFocus } from '../kept-focus'
import { CodeEntry } from '../sign-in/CodeEntry'
import { MailedTo } from '../sign-in/MailedTo'
import { Opening } from '../sign-in/Opening'
import { Resend } from '../sign-in/Resend'
import styles from '../sign-in/sign-in.module.css'
import { useLeaveSignIn, useShownSignIn } from '../sign-in/use-sign-in'

/** The six digits of the mail; then the wallet opens. */
export default function EmailVerifyOtp() {
  const t = useText()
  const { resendEmail, retrySignIn, submitCode } = useActions()
  const leave = useLeaveSignIn()
  const signIn = useShownSignIn('email')
  const place = useRef<HTMLDivElement>(null)
  const isOpening = signIn?.step === 'opening'
  useKeptFocus(place, isOpening ? 'opening' : 'code')
  if (signIn === null) return null
  const { email, error, resendAt, step } = signIn
  return (
    <div ref={place} className={styles.step} tabIndex={-1}>
      {isOpening ? (
        <Opening failure={error} onRetry={retrySignIn} />
      ) : (
        <>
          <p>
            <MailedTo text={t('otp.mailed')} email={email} />
          </p>
          <CodeEntry label={t('otp.label')} busy={step === 'verifying'} failure={error} onSubmit={submitCode} />
          <div className={styles.links}>
            <Resend resendAt={resendAt} sending={step === 'sending' && error === null} onResend={resendEmail} />
            <TextButton onPress={leave}>{t('email.other')}</TextButton>
          </div>
        </>
      )}
    </div>
  )
}
