import { signInProviderNames } from '@postern/protocol'
import { BrandMark } from '@postern/ui/brand-mark'
import { Button, TextButton } from '@postern/ui/button'
import { HeroTile } from '@postern/ui/hero-tile'
import { useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { ProgressPicture } from '@postern/ui/progress'
import type { ReactNode } from 'react'
import type { SignIn } from '../../../snapshot/contract'
import { useActions } from '../../../view-kit/host-context'
import { useErrorMessage } from '../../../view-kit/messages/error-message'
import { CodePlace } from '../../../view-kit/sign-in/CodePlace'
import { OpeningWallet } from '../../../view-kit/sign-in/OpeningWallet'
import { SignInSection } from '../../../view-kit/sign-in/SignInSection'
import { StepError } from '../../../view-kit/sign-in/StepError'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useLeaveSignIn, useShownSignIn } from '../../../view-kit/sign-in/use-sign-in'

type SocialSignIn = Extract<SignIn, { kind: 'social' }>

export default function ConnectingSocial() {
  const signIn = useShownSignIn('social')
  if (signIn === null) return null
  return (
    <SignInSection signIn={signIn}>
      <Step signIn={signIn} />
    </SignInSection>
  )
}

function Step({ signIn }: { readonly signIn: SocialSignIn }): ReactNode {
  const t = useText()
  const { retrySignIn } = useActions()
  const { step, error, provider } = signIn
  if (step === 'opening') return <OpeningWallet failure={error} onRetry={retrySignIn} />
  if (step === 'code') return <TypedCode signIn={signIn} />
  if (error !== null)
    return (
      <StepError
        title={t('social.failed', { provider: signInProviderNames[provider] })}
        failure={error}
        onRetry={retrySignIn}
      />
    )
  return <Waiting signIn={signIn} />
}

function Waiting({ signIn: { provider } }: { readonly signIn: SocialSignIn }) {
  const t = useText()
  const { retrySignIn } = useActions()
  const leave = useLeaveSignIn()
  return (
    <>
      <Message
        picture={
          <ProgressPicture progress="running">
            <HeroTile>
              <BrandMark brand={provider} large />
            </HeroTile>
          </ProgressPicture>
        }
        title={t('social.waiting', { provider: signInProviderNames[provider] })}
        text={t('social.waitingHint')}
        live
      />
      <div className={styles.actions}>
        <Button tone="secondary" onPress={leave}>
          {t('cancel')}
        </Button>
        <p className={styles.links}>
          <TextButton onPress={retrySignIn}>{t('social.again')}</TextButton>
        </p>
      </div>
    </>
  )
}

/** The window is closed or severed: it may have shown six digits. */
function TypedCode({ signIn: { provider, error } }: { readonly signIn: SocialSignIn }) {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { retrySignIn } = useActions()
  const isGone = error?.code === 'WINDOW_CLOSED'
  return (
    <>
      <Message
        title={t('social.codeTitle')}
        text={t(isGone ? 'social.codeGone' : 'social.codeHint', { provider: signInProviderNames[provider] })}
        live
      />
      {(error === null || isGone) && <CodePlace failure={null} onRetry={retrySignIn} />}
      {error !== null && !isGone && (
        <p className={styles.failure} role="alert">
          {errorMessage(error.code, error.message)}
        </p>
      )}
      <Button tone="secondary" onPress={retrySignIn}>
        {t('social.again')}
      </Button>
    </>
  )
}
