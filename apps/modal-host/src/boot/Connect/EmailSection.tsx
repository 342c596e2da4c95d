import { EmailField } from '@postern/ui/email-field'
import { useText } from '@postern/ui/locales/text'
import { useSecondsLeft } from '@postern/ui/use-seconds-left'
import { isEmail } from '../../../../../packages/protocol/src/validation/email'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { useErrorMessage } from '../../view-kit/messages/error-message'

export function EmailSection() {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { signInWithEmail } = useActions()
  const signIn = useSnapshot((snapshot) => (snapshot.signIn?.kind === 'email' ? snapshot.signIn : null))
  const email = useSnapshot(({ wantedMethod }) => (wantedMethod?.kind === 'email' ? wantedMethod.email : ''))
  const seconds = useSecondsLeft(signIn?.resendAt ?? 0)
  // Later steps show their own errors.
  const error = signIn?.step === 'sending' ? signIn.error : null
  const isCooling = error?.code === 'EMAIL_COOLDOWN'
  const failure = error === null || isCooling ? null : errorMessage(error.code, error.message)
  return (
    <EmailField
      key={email}
      initial={email}
      label={t('email.label')}
      action={t('email.continue')}
      isEmail={isEmail}
      invalid={t('email.invalid')}
      busy={signIn?.step === 'sending' && error === null}
      failure={isCooling && seconds > 0 ? t('email.cooldown', { seconds }) : failure}
      onSubmit={signInWithEmail}
    />
  )
}
