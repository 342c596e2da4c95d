import { Button, ButtonPair } from '@postern/ui/button'
import { HeroTile } from '@postern/ui/hero-tile'
import { useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { ProgressPicture } from '@postern/ui/progress'
import { DoorIcon } from '@postern/ui/view-icons'
import { useEffect } from 'react'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import styles from '../../../view-kit/sign-in/sign-in.module.css'

/** After a first sign-in: what protects the new wallet from loss, and what would protect it better. */
export default function WalletReady() {
  const t = useText()
  const { close, openWalletWindow, refreshWallet } = useActions()
  const { reset } = useNavigation()
  const embedded = useSnapshot((snapshot) => snapshot.embedded)
  useEffect(() => refreshWallet(), [refreshWallet])
  if (embedded === null) return null
  const { email, provider, security, storage } = embedded
  const recovery = security?.recovery ?? null
  const done = (
    <Button tone="primary" onPress={() => (storage === 'memory' ? reset('Account') : close())}>
      {t('done')}
    </Button>
  )
  return (
    <div className={styles.step}>
      <Message
        picture={
          <ProgressPicture progress="done">
            <HeroTile>
              <DoorIcon />
            </HeroTile>
          </ProgressPicture>
        }
        title={t('ready.title')}
        text={t('ready.text')}
        live
      />
      <p className={styles.hint}>
        {recovery === 'passkey' || recovery === 'passphrase'
          ? t('ready.kept', { method: recovery })
          : t('ready.keptBySignIn', { provider, email: email ?? '' })}
      </p>
      {recovery === 'gateway' ? (
        <ButtonPair>
          <Button tone="secondary" onPress={() => openWalletWindow('recovery')}>
            {t('ready.addPasskey')}
          </Button>
          {done}
        </ButtonPair>
      ) : (
        done
      )}
    </div>
  )
}
