import { type ErrorCode, errors } from '@postern/protocol'
import { Button } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { WalletPicture } from '@postern/ui/picture'
import { type Progress, ProgressPicture } from '@postern/ui/progress'
import { RetryIcon } from '@postern/ui/view-icons'
import { type ReactNode, useEffect, useState } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import columnStyles from '../column.module.css'
import { useActions } from '../host-context'
import { useErrorMessage } from '../messages/error-message'
import { installLinks, platformOf } from '../wallets/wallet-rows'
import { InstallLinks } from './InstallLinks'
import { useLeaveAttempt } from './use-attempt'

type StartedStatus = Exclude<ConnectAttempt['status'], { readonly kind: 'choosing' }>
export type StartedAttempt = Omit<ConnectAttempt, 'status'> & { readonly status: StartedStatus }

const progressOf: Readonly<Record<StartedStatus['kind'], Progress>> = {
  waiting: 'running',
  pendingInWallet: 'running',
  declined: 'failed',
  expired: 'failed',
  failed: 'failed',
  notInstalled: 'resting',
  connected: 'done',
}

export function AttemptMessage({ attempt }: { readonly attempt: StartedAttempt }) {
  const { row, status } = attempt
  const words = useAttemptWords(attempt)
  return (
    <div className={columnStyles.gap5}>
      <Message
        picture={
          <ProgressPicture progress={progressOf[status.kind]}>
            <WalletPicture src={row.imageUrl} size="hero" />
          </ProgressPicture>
        }
        {...words}
        live
      />
      <AttemptActions attempt={attempt} />
    </div>
  )
}

function useAttemptWords({ row, status }: StartedAttempt): { readonly title: string; readonly text: string } {
  const t = useText()
  const errorMessage = useErrorMessage(true)
  const wallet = row.name
  switch (status.kind) {
    case 'waiting':
      return { title: t('connecting.waiting', { wallet }), text: t('connecting.waitingHint') }
    case 'pendingInWallet':
      return { title: t('connecting.pending', { wallet }), text: t('connecting.pendingHint') }
    case 'declined':
      return { title: t('connecting.declined'), text: t('connecting.declinedHint') }
    case 'expired':
      return { title: t('connecting.noAnswer'), text: t('connecting.noAnswerHint') }
    case 'failed': {
      const hint = hintOf(status)
      return {
        title: t('connecting.failed', { wallet }),
        text: hint === null ? errorMessage(status.code, status.message) : t(hint),
      }
    }
    case 'connected':
      return { title: t('connecting.connected'), text: t('connecting.connectedHint', { wallet }) }
    case 'notInstalled':
      return {
        title: t('connecting.notInstalled', { wallet }),
        text:
          installLinks(row.entry, platformOf(navigator.userAgent)).length > 0
            ? t('connecting.notInstalledHint')
            : t('connecting.notInstalledNowhere', { wallet }),
      }
  }
}

/** Says what to do, if the failure's own words do not. */
function hintOf({ code, message }: { readonly code: ErrorCode; readonly message: string }) {
  if (code === 'LOAD_FAILED') return 'view.failedHint'
  // The wallet gave no readable answer, or no reason.
  return code === 'INTERNAL' && ['', errors.INTERNAL.message].includes(message.trim()) ? 'connecting.failedHint' : null
}

function AttemptActions({ attempt }: { readonly attempt: StartedAttempt }): ReactNode {
  const t = useText()
  const leave = useLeaveAttempt()
  switch (attempt.status.kind) {
    case 'waiting':
    case 'pendingInWallet':
      return (
        <Button tone="secondary" onPress={leave}>
          {t('cancel')}
        </Button>
      )
    case 'declined':
    case 'expired':
    case 'failed':
      return <TryAgain retryAt={attempt.retryAt} />
    case 'notInstalled':
      return <InstallLinks links={installLinks(attempt.row.entry, platformOf(navigator.userAgent))} />
    case 'connected':
      return null
  }
}

function TryAgain({ retryAt }: { readonly retryAt: number }) {
  const t = useText()
  const { retryConnect } = useActions()
  const allowed = useReached(retryAt)
  return (
    <Button tone="primary" disabled={!allowed} onPress={retryConnect}>
      <RetryIcon />
      {t('tryAgain')}
    </Button>
  )
}

/** Epoch ms. */
function useReached(time: number): boolean {
  const [reached, setReached] = useState(() => Date.now() >= time)
  useEffect(() => {
    const left = time - Date.now()
    setReached(left <= 0)
    if (left <= 0) return
    const timer = setTimeout(() => setReached(true), left)
    return () => clearTimeout(timer)
  }, [time])
  return reached
}
