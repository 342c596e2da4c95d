import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useRef } from 'react'
import { useActions } from '../../../view-kit/host-context'
import { CodeEntry } from '../../../view-kit/sign-in/CodeEntry'
import { EmailSentTo } from '../../../view-kit/sign-in/EmailSentTo'
import { OpeningWallet } from '../../../view-kit/sign-in/OpeningWallet'
import { Resend } from '../../../view-kit/sign-in/Resend'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useLeaveSignIn, useShownSignIn } from '../../../view-kit/sign-in/use-sign-in'
import { useFocusFallback } from '../../../view-kit/use-focus-fallback'

export default function EmailVerifyOtp() {
  const t = useText()
  const { resendEmail, retrySignIn, submitCode } = useActions()
  const leave = useLeaveSignIn()
  const signIn = useShownSignIn('email')
  const place = useRef<HTMLDivElement>(null)
  const isOpening = signIn?.step === 'opening'
  useFocusFallback(place, isOpening ? 'opening' : 'code')
  if (signIn === null) return null
  const { email, error, resendAt, step } = signIn
  return (
    <div ref={place} className={styles.step} tabIndex={-1}>
      {isOpening ? (
        <OpeningWallet failure={error} onRetry={retrySignIn} />
      ) : (
        <>
          <p>
            <EmailSentTo text={t('otp.mailed')} email={email} />
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
