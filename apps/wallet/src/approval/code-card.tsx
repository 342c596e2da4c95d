import { useLingui } from '@lingui/react'
import { type ErrorCode, type SocialProvider, signInProviderNames } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { CodeField } from '@postern/ui/code-field'
import { errorValues, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { Status } from '@postern/ui/unseen'
import { useId, useState } from 'react'
import type { WatchArming } from './arming'
import styles from './code-card.module.css'
import { useArming } from './use-arming'

/** What a code confirms. `email`: where it was sent; null: no code was sent. */
export type CodePurpose =
  | { readonly kind: 'signIn'; readonly email: string }
  | { readonly kind: 'social'; readonly provider: SocialProvider }
  | { readonly kind: 'leaveEmail'; readonly email: string; readonly newEmail: string }
  | { readonly kind: 'confirmEmail'; readonly email: string }
  | { readonly kind: 'deleteAccount'; readonly email: string | null }

export type DrawnCode = {
  readonly id: string
  readonly purpose: CodePurpose
  readonly isBusy: boolean
  /** Another object per refused code. */
  readonly failure: { readonly code: ErrorCode; readonly message: string } | null
  readonly onSubmit: (code: string | null) => void
  readonly onCancel: () => void
}

/** Takes six digits and says what they are for. What cannot be undone also needs a press. */
export function CodeCard({ code, watch }: { readonly code: DrawnCode; readonly watch: WatchArming }) {
  const { purpose, isBusy, failure, onSubmit } = code
  const t = useText()
  const failureId = useId()
  const failureText = useFailureText()
  const [typed, setTyped] = useState<string | null>(null)
  const isDeletion = purpose.kind === 'deleteAccount'
  const needsCode = !isDeletion || purpose.email !== null
  return (
    <div className={styles.card}>
      <Purpose purpose={purpose} />
      <div className={styles.entry}>
        {needsCode && (
          <CodeField
            label={t('otp.label')}
            describedBy={failureId}
            busy={isBusy}
            refusal={failure}
            onComplete={isDeletion ? setTyped : onSubmit}
            onIncomplete={() => setTyped(null)}
          />
        )}
        <p id={failureId} className={styles.failure} role="alert">
          {failure === null || isBusy ? '' : failureText(failure)}
        </p>
      </div>
      {isDeletion && (
        <Deletion
          code={code}
          isReady={!needsCode || typed !== null}
          watch={watch}
          onDelete={() => {
            // After a refusal the user types it again.
            setTyped(null)
            onSubmit(typed)
          }}
        />
      )}
      <Status>{isBusy ? t('code.checking') : ''}</Status>
    </div>
  )
}

function Purpose({ purpose }: { readonly purpose: CodePurpose }) {
  const t = useText()
  switch (purpose.kind) {
    case 'signIn':
    case 'confirmEmail':
      return <Addressed text={t('otp.mailed')} email={purpose.email} />
    case 'social':
      return <p className={styles.said}>{t('social.codeHint', { provider: signInProviderNames[purpose.provider] })}</p>
    case 'leaveEmail':
      return (
        <>
          <Addressed text={t('code.leaveEmail')} email={purpose.newEmail} />
          <Addressed text={t('otp.mailed')} email={purpose.email} />
        </>
      )
    case 'deleteAccount':
      return (
        <>
          <Notice tone="bad" title={t('delete.warning')} text={t('code.deleteAccount')} />
          {purpose.email !== null && <Addressed text={t('otp.mailed')} email={purpose.email} />}
        </>
      )
  }
}

function Addressed({ text, email }: { readonly text: string; readonly email: string }) {
  return (
    <p className={styles.said}>
      {text} <bdi className={styles.email}>{email}</bdi>
    </p>
  )
}

type DeletionProps = {
  readonly code: DrawnCode
  readonly isReady: boolean
  readonly watch: WatchArming
  readonly onDelete: () => void
}

/** Armed as an approval is: without a code, the press alone decides. */
function Deletion({ code: { isBusy, onCancel }, isReady, watch, onDelete }: DeletionProps) {
  const t = useText()
  const { armed, wrapper } = useArming(watch, isReady && !isBusy)
  return (
    <ButtonPair>
      <Button tone="secondary" disabled={isBusy} onPress={onCancel}>
        {t('delete.keep')}
      </Button>
      <div {...wrapper}>
        <Button tone="bad" busy={isBusy} disabled={!armed} onPress={onDelete}>
          {t('delete.button')}
        </Button>
      </div>
    </ButtonPair>
  )
}

/** In the user's language, else English. */
function useFailureText(): (failure: NonNullable<DrawnCode['failure']>) => string {
  const { i18n } = useLingui()
  return ({ code, message }) => {
    const key = `error.${code}`
    return Object.hasOwn(i18n.messages, key) ? i18n._(key, errorValues(message)) : message
  }
}
