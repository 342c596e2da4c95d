import { Button } from '@postern/ui/button'
import { HeroTile } from '@postern/ui/hero-tile'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { ProgressPicture } from '@postern/ui/progress'
import { DoorIcon, LockIcon } from '@postern/ui/view-icons'
import { useActions, useSnapshot } from '../host-context'
import { FrameQuestion } from './FrameQuestion'
import { KeepSafe } from './KeepSafe'
import { type Failure, StepError } from './StepError'
import styles from './sign-in.module.css'

/**
 * Creates or loads the key. Asks how to recover a new wallet, offers the wallet's own window for an unlock, or has the
 * wallet's frame remove the share of an ended wallet.
 */
export function OpeningWallet({
  failure,
  onRetry,
}: {
  readonly failure: Failure | null
  readonly onRetry: () => void
}) {
  const t = useText()
  const locked = useSnapshot((snapshot) => snapshot.embedded?.locked ?? null)
  const ended = useSnapshot((snapshot) => snapshot.embedded?.ended ?? null)
  const wanted = useSnapshot((snapshot) => snapshot.embedded?.recoveryWanted ?? null)
  if (ended !== null) return <EndedWallet />
  if (wanted !== null) return <KeepSafe rule={wanted} failure={failure} />
  if (locked !== null) return <Unlock method={locked} />
  if (failure !== null) return <StepError title={t('opening.failed')} failure={failure} onRetry={onRetry} />
  return (
    <Message
      picture={
        <ProgressPicture progress="running">
          <HeroTile>
            <DoorIcon />
          </HeroTile>
        </ProgressPicture>
      }
      title={t('opening.title')}
      text={t('opening.text')}
      live
    />
  )
}

function Unlock({ method }: { readonly method: 'passkey' | 'passphrase' }) {
  const t = useText()
  const { openWalletWindow } = useActions()
  return (
    <div className={styles.step}>
      <Message
        picture={
          <MessageGlyph>
            <LockIcon />
          </MessageGlyph>
        }
        title={t('unlock.title')}
        text={t('unlock.text', { method })}
        live
      />
      <Button tone="primary" onPress={() => openWalletWindow('unlock')}>
        {t('unlock.button', { method })}
      </Button>
    </div>
  )
}

/** The wallet's frame says what happened, and takes the press that removes the old wallet's share. */
function EndedWallet() {
  const { forgetEndedWallet } = useActions()
  return <FrameQuestion ask={forgetEndedWallet} />
}
