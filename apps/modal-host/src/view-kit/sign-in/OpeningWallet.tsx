import { Button } from '@postern/ui/button'
import { HeroTile } from '@postern/ui/hero-tile'
import { DoorIcon, LockIcon } from '@postern/ui/icons-later'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { ProgressPicture } from '@postern/ui/progress'
import { useActions, useSnapshot } from '../host-context'
import type { Failure } from './CodeEntry'
import { StepError } from './StepError'
import styles from './sign-in.module.css'

/** Creating or loading the key; offers the wallet's own window for an unlock. */
export function OpeningWallet({
  failure,
  onRetry,
}: {
  readonly failure: Failure | null
  readonly onRetry: () => void
}) {
  const t = useText()
  const locked = useSnapshot((snapshot) => snapshot.embedded?.locked ?? null)
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
