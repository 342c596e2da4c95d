import { type ReactNode, useRef } from 'react'
import { useText } from '../../locales/text'
import type { SignIn } from '../../session/contract'
import { BrandMark } from '../../ui/brand-mark'
import { Button, TextButton } from '../../ui/button'
import { Message } from '../../ui/message'
import { ProgressPicture } from '../../ui/progress'
import { useActions } from '../host-context'
import { useKeptFocus } from '../kept-focus'
import { providerNames } from '../providers'
import { CodeEntry } from '../sign-in/CodeEntry'
import { Opening } from '../sign-in/Opening'
import { StepFailure } from '../sign-in/StepFailure'
import styles from '../sign-in/sign-in.module.css'
import { useLeaveSignIn, useShownSignIn } from '../sign-in/use-sign-in'

type SocialSignIn = Extract<SignIn, { kind: 'social' }>

/** Signing in with an account elsewhere: its window is waited for, or what that window shows is typed here. */
export default function ConnectingSocial() {
  const signIn = useShownSignIn('social')
  const place = useRef<HTMLDivElement>(null)
  useKeptFocus(place, `${signIn?.step} ${signIn?.error?.code}`)
  if (signIn === null) return null
  return (
    <div ref={place} className={styles.step} tabIndex={-1}>
      <Step signIn={signIn} />
    </div>
  )
}

function Step({ signIn }: { readonly signIn: SocialSignIn }): ReactNode {
  const t = useText()
  const { retrySignIn } = useActions()
  const { step, error, provider } = signIn
  if (step === 'opening') return <Opening failure={error} onRetry={retrySignIn} />
  if (step === 'code') return <TypedCode signIn={signIn} />
  if (error !== null)
    return (
      <StepFailure
        title={t('social.failed', { provider: providerNames[provider] })}
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
            <span className={styles.tile}>
              <BrandMark brand={provider} large />
            </span>
          </ProgressPicture>
        }
        title={t('social.waiting', { provider: providerNames[provider] })}
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

/** The window could not hand over by itself, or it is gone: it then showed six digits, or nothing. */
function TypedCode({ signIn: { provider, error } }: { readonly signIn: SocialSignIn }) {
  const t = useText()
  const { retrySignIn, submitCode } = useActions()
  const isGone = error?.code === 'WINDOW_CLOSED'
  return (
    <>
      <Message
        title={t('social.codeTitle')}
        text={t(isGone ? 'social.codeGone' : 'social.codeHint', { provider: providerNames[provider] })}
        live
      />
      <CodeEntry label={t('social.codeTitle')} busy={false} failure={isGone ? null : error} onSubmit={submitCode} />
      <Button tone="secondary" onPress={retrySignIn}>
        {t('social.again')}
      </Button>
    </>
  )
}
