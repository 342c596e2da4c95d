import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useRef } from 'react'
import { useActions } from '../../../view-kit/host-context'
import { useKeptFocus } from '../../../view-kit/kept-focus'
import { CodeEntry } from '../../../view-kit/sign-in/CodeEntry'
import { MailedTo } from '../../../view-kit/sign-in/MailedTo'
import { Opening } from '../../../view-kit/sign-in/Opening'
import { Resend } from '../../../view-kit/sign-in/Resend'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useLeaveSignIn, useShownSignIn } from '../../../view-kit/sign-in/use-sign-in'

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
