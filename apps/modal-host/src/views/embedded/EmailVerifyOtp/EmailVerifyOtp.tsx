import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useRef } from 'react'
import { useActions } from '../../../view-kit/host-context'
import { CodePlace } from '../../../view-kit/sign-in/CodePlace'
import { OpeningWallet } from '../../../view-kit/sign-in/OpeningWallet'
import { Resend } from '../../../view-kit/sign-in/Resend'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useLeaveSignIn, useShownSignIn } from '../../../view-kit/sign-in/use-sign-in'
import { useFocusFallback } from '../../../view-kit/use-focus-fallback'

export default function EmailVerifyOtp() {
  const t = useText()
  const { resendEmail, retrySignIn } = useActions()
  const leave = useLeaveSignIn()
  const signIn = useShownSignIn('email')
  const place = useRef<HTMLDivElement>(null)
  const isOpening = signIn?.step === 'opening'
  useFocusFallback(place, isOpening ? 'opening' : 'code')
  if (signIn === null) return null
  const { error, resendAt, step } = signIn
  return (
    <div ref={place} className={styles.step} tabIndex={-1}>
      {isOpening ? (
        <OpeningWallet failure={error} onRetry={retrySignIn} />
      ) : (
        <>
          <CodePlace failure={error} onRetry={retrySignIn} />
          <div className={styles.links}>
            <Resend resendAt={resendAt} sending={step === 'sending' && error === null} onResend={resendEmail} />
            <TextButton onPress={leave}>{t('email.other')}</TextButton>
          </div>
        </>
      )}
    </div>
  )
}
