import { useLingui } from '@lingui/react'
import { dateText } from '@postern/chains/amount-text'
import { type ErrorCode, type SocialProvider, signInProviderNames } from '@postern/protocol'
import { Button, ButtonPair, TextButton } from '@postern/ui/button'
import { CodeField } from '@postern/ui/code-field'
import { errorValues, type TextKey, useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { SiteText } from '@postern/ui/site-text'
import { Status } from '@postern/ui/unseen'
import { useSecondsLeft } from '@postern/ui/use-seconds-left'
import { useId, useState } from 'react'
import type { WatchArming } from '../arming/arming'
import { useArming, useCodeGate, useIsLate } from '../arming/use-arming'
import styles from './code-card.module.css'

/**
 * What a code or a press confirms. `usedAt`, `at`: epoch ms. `from`, `to`: EVM addresses of the ended and the present
 * wallet.
 */
export type CodePurpose =
  | { readonly kind: 'signIn'; readonly email: string }
  | { readonly kind: 'social'; readonly provider: SocialProvider }
  /** The press opens the wallet's own window. */
  | { readonly kind: 'changeEmail'; readonly email: string; readonly newEmail: string }
  | { readonly kind: 'deleteAccount' }
  | { readonly kind: 'removeDevice'; readonly device: string; readonly usedAt: number }
  | {
      readonly kind: 'forgetEnded'
      readonly what: 'deleted' | 'replaced'
      readonly at: number
      readonly from: string
      readonly to: string | null
    }

export type DrawnCode = {
  readonly id: string
  readonly purpose: CodePurpose
  readonly isBusy: boolean
  /** A new object per failure. `retryAt`: next automatic submission, epoch ms. */
  readonly failure: { readonly code: ErrorCode; readonly message: string; readonly retryAt: number | null } | null
  readonly onSubmit: (code: string | null) => void
  readonly onEdit: () => void
  readonly onCancel: () => void
}

const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['WRONG_CODE', 'CODE_EXPIRED', 'CODE_SPENT'])

/**
 * Takes six digits and says what they are for.
 *
 * 0. If the browser reports covers, a digit counts only while all of the card is visible, and the code only once it is
 *    armed: a page may show only the field, beside its own text. A cover drops the digits typed since.
 * 1. What ends something on this account needs a press instead. For a change of the account's owner, the press opens
 *    the wallet's own window.
 * 2. A refused code leaves the field. After any other failure the digits stay, to submit them again.
 */
export function CodeCard({ code, watch }: { readonly code: DrawnCode; readonly watch: WatchArming }) {
  const { purpose, isBusy, failure, onSubmit, onEdit } = code
  const t = useText()
  const failureId = useId()
  const failureText = useFailureText(failure)
  const [typed, setTyped] = useState<string | null>(null)
  const press = pressOf(purpose)
  const { ref, ...gate } = useCodeGate(watch)
  const needsCode = press === null
  const isCovered = useIsLate(needsCode && gate.state === 'covered')
  const statusText = isBusy ? '' : failure !== null ? failureText : isCovered ? t('approve.covered') : ''
  const refusal = failure !== null && refusals.has(failure.code) ? failure : null
  const [seenRefusal, setSeenRefusal] = useState(refusal)
  if (seenRefusal !== refusal) {
    setSeenRefusal(refusal)
    if (refusal !== null) setTyped(null)
  }
  return (
    <div className={styles.card}>
      <Purpose purpose={purpose} />
      <div ref={ref} className={styles.entry}>
        {needsCode && (
          <CodeField
            label={t('otp.label')}
            describedBy={failureId}
            busy={isBusy}
            refusal={refusal}
            gate={gate}
            onComplete={(digits) => {
              setTyped(digits)
              onSubmit(digits)
            }}
            onIncomplete={() => {
              setTyped(null)
              onEdit()
            }}
          />
        )}
        <p id={failureId} className={styles.failure} role="alert">
          {statusText}
        </p>
        {failure !== null && !isBusy && needsCode && typed !== null && (
          <TextButton onPress={() => onSubmit(typed)}>{t('tryAgain')}</TextButton>
        )}
      </div>
      {press !== null && (
        <Confirmation
          code={code}
          keep={t(press.keep)}
          take={t(press.take)}
          tone={press.tone ?? 'bad'}
          watch={watch}
          onTake={() => onSubmit(null)}
        />
      )}
      <Status>{isBusy ? t(press?.busy ?? 'code.checking') : ''}</Status>
    </div>
  )
}

type Press = { readonly keep: TextKey; readonly take: TextKey; readonly busy: TextKey; readonly tone?: 'primary' }

function pressOf({ kind }: CodePurpose): Press | null {
  switch (kind) {
    case 'deleteAccount':
      return { keep: 'delete.keep', take: 'approve.window.continue', busy: 'code.deleteInWindow' }
    case 'removeDevice':
      return { keep: 'security.keep', take: 'security.remove', busy: 'code.removing' }
    case 'forgetEnded':
      return { keep: 'security.keep', take: 'ended.remove', busy: 'ended.removing' }
    case 'changeEmail':
      return { keep: 'cancel', take: 'approve.window.continue', busy: 'code.changeInWindow', tone: 'primary' }
    default:
      return null
  }
}

function Purpose({ purpose }: { readonly purpose: CodePurpose }) {
  const t = useText()
  switch (purpose.kind) {
    case 'signIn':
      return <Addressed text={t('otp.mailed')} email={purpose.email} />
    case 'social':
      return <p className={styles.said}>{t('social.codeHint', { provider: signInProviderNames[purpose.provider] })}</p>
    case 'changeEmail':
      return (
        <>
          <Addressed text={t('code.leaveEmail')} email={purpose.newEmail} />
          <p className={styles.said}>{t('code.changeInWindow')}</p>
        </>
      )
    case 'deleteAccount':
      return (
        <>
          <Notice tone="bad" title={t('delete.warning')} text={t('delete.warningText')} />
          <p className={styles.said}>{t('code.deleteInWindow')}</p>
        </>
      )
    case 'removeDevice':
      return <Removal device={purpose.device} usedAt={purpose.usedAt} />
    case 'forgetEnded':
      return <Ended {...purpose} />
  }
}

/** A device chooses its own name; the time tells namesakes apart. */
function Removal({ device, usedAt }: { readonly device: string; readonly usedAt: number }) {
  const t = useText()
  const locale = useLocale()
  const date = dateText(usedAt / 1000, locale)
  return (
    <>
      <p className={styles.said}>
        <SiteText text={device} className={styles.email} />
        {date !== null && t('security.used', { date })}
      </p>
      <Notice tone="warn" title={t('security.confirmRemove')} text={t('security.confirmRemoveText')} />
    </>
  )
}

/** The user decides, because an old copy of the gateway's data can sign the statement too. */
function Ended({ what, at, from, to }: Extract<CodePurpose, { readonly kind: 'forgetEnded' }>) {
  const t = useText()
  const locale = useLocale()
  const date = dateText(at / 1000, locale) ?? ''
  return (
    <>
      <Notice tone="warn" title={t('ended.title', { what, date })} text={t('ended.text')} />
      <Addressed text={t('ended.old')} email={from} />
      {to !== null && <Addressed text={t('ended.new')} email={to} />}
      <p className={styles.said}>{t('ended.caution', { what })}</p>
    </>
  )
}

function Addressed({ text, email }: { readonly text: string; readonly email: string }) {
  return (
    <p className={styles.said}>
      {text} <SiteText text={email} className={styles.email} />
    </p>
  )
}

type ConfirmationProps = {
  readonly code: DrawnCode
  readonly keep: string
  readonly take: string
  readonly tone: 'bad' | 'primary'
  readonly watch: WatchArming
  readonly onTake: () => void
}

function Confirmation({ code: { isBusy, onCancel }, keep, take, tone, watch, onTake }: ConfirmationProps) {
  const { armed, wrapper } = useArming(watch, !isBusy)
  return (
    <ButtonPair>
      <Button tone="secondary" disabled={isBusy} onPress={onCancel}>
        {keep}
      </Button>
      <div {...wrapper}>
        <Button tone={tone} busy={isBusy} disabled={!armed} onPress={onTake}>
          {take}
        </Button>
      </div>
    </ButtonPair>
  )
}

/** Falls back to English. The seconds to wait count down. */
function useFailureText(failure: DrawnCode['failure']): string {
  const { i18n } = useLingui()
  const seconds = useSecondsLeft(failure?.retryAt ?? 0)
  if (failure === null) return ''
  const message = seconds > 0 ? failure.message.replace(/\b\d+ s\b/, `${seconds} s`) : failure.message
  const key = `error.${failure.code}`
  return Object.hasOwn(i18n.messages, key) ? i18n._(key, errorValues(message)) : message
}
