import { type ReactNode, useEffect, useState } from 'react'
import { type TextKey, useText } from '../../locales/text'
import type { ConnectAttempt } from '../../session/contract'
import { Button, ButtonLink } from '../../ui/button'
import { RetryIcon } from '../../ui/icons'
import { Message } from '../../ui/message'
import { WalletPicture } from '../../ui/picture'
import { type Progress, ProgressPicture } from '../../ui/progress'
import { useErrorText } from '../error-text'
import { useActions, useSnapshot } from '../host-context'
import { useNavigation } from '../navigation'
import { type InstallLink, installLinks, platformOf } from '../wallet-rows'
import styles from './ConnectingExternal.module.css'

/** One wallet being connected: what is waited for, what came of it, and the one thing to do. */
export default function ConnectingExternal() {
  const attempt = useSnapshot((snapshot) => snapshot.connectAttempt)
  // The attempt ends as this view is left: it keeps its last face until it is gone.
  const [last, setLast] = useState(attempt)
  if (attempt !== null && attempt !== last) setLast(attempt)
  const shown = attempt ?? last
  return shown === null ? null : <Attempt attempt={shown} />
}

const platform = platformOf(navigator.userAgent)

const progressOf: Readonly<Record<ConnectAttempt['status']['kind'], Progress>> = {
  waiting: 'running',
  pendingInWallet: 'running',
  declined: 'failed',
  failed: 'failed',
  notInstalled: 'resting',
  connected: 'done',
}

function Attempt({ attempt }: { readonly attempt: ConnectAttempt }) {
  const { row, status } = attempt
  const words = useAttemptWords(attempt)
  return (
    <div className={styles.connecting}>
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

function useAttemptWords({ row, status }: ConnectAttempt): { readonly title: string; readonly text: string } {
  const t = useText()
  const errorText = useErrorText()
  const wallet = row.name
  switch (status.kind) {
    case 'waiting':
      return { title: t('connecting.waiting', { wallet }), text: t('connecting.waitingHint') }
    case 'pendingInWallet':
      return { title: t('connecting.pending', { wallet }), text: t('connecting.pendingHint') }
    case 'declined':
      return { title: t('connecting.declined'), text: t('connecting.declinedHint') }
    case 'failed':
      return { title: t('connecting.failed', { wallet }), text: errorText(status.code, status.message) }
    case 'connected':
      return { title: t('connecting.connected'), text: t('connecting.connectedHint', { wallet }) }
    case 'notInstalled':
      return {
        title: t('connecting.notInstalled', { wallet }),
        text:
          installLinks(row.entry, platform).length > 0
            ? t('connecting.notInstalledHint')
            : t('connecting.notInstalledNowhere', { wallet }),
      }
  }
}

function AttemptActions({ attempt }: { readonly attempt: ConnectAttempt }): ReactNode {
  const t = useText()
  const { cancelConnect } = useActions()
  const { back } = useNavigation()
  const leave = () => {
    cancelConnect()
    back()
  }
  switch (attempt.status.kind) {
    case 'waiting':
    case 'pendingInWallet':
      return (
        <Button tone="secondary" onPress={leave}>
          {t('cancel')}
        </Button>
      )
    case 'declined':
    case 'failed':
      return <TryAgain retryAt={attempt.retryAt} />
    case 'notInstalled':
      return <InstallLinks links={installLinks(attempt.row.entry, platform)} />
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

/** False until the time has come; `time` in epoch ms. */
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

const linkTexts: Readonly<Record<InstallLink['kind'], TextKey>> = {
  chrome: 'connecting.chrome',
  apple: 'connecting.apple',
  google: 'connecting.google',
  website: 'connecting.website',
}

function InstallLinks({ links }: { readonly links: readonly InstallLink[] }) {
  const t = useText()
  if (links.length === 0) return null
  return (
    <ul className={styles.links}>
      {links.map(({ kind, href }, index) => (
        <li key={kind}>
          <ButtonLink tone={index === 0 ? 'primary' : 'secondary'} href={href}>
            {t(linkTexts[kind])}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}
