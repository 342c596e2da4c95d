import { Button } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { WalletPicture } from '@postern/ui/picture'
import { ProgressPicture } from '@postern/ui/progress'
import { useState } from 'react'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { PairingStatus } from '../../view-kit/pairing/PairingStatus'
import styles from './WalletRequest.module.css'

/** A wallet on another device may still show the request after Cancel. */
export default function WalletRequest() {
  const t = useText()
  const { cancelWalletRequest } = useActions()
  const requests = useSnapshot((snapshot) => snapshot.walletRequests)
  const [first = null] = requests
  const [last, setLast] = useState(first)
  if (first !== null && first !== last) setLast(first)
  // The view briefly outlives its request.
  const request = first ?? last
  if (request === null) return null
  const { id, name, imageUrl, isLeft = false } = request
  if (isLeft)
    return (
      <div className={styles.request}>
        <Message
          picture={<WalletPicture src={imageUrl} size="hero" />}
          title={t('request.left', { wallet: name })}
          text={t('request.leftHint')}
          live
        />
        <Button tone="secondary" onPress={() => cancelWalletRequest(id)}>
          {t('done')}
        </Button>
      </div>
    )
  const count = requests.filter((one) => one.isLeft !== true).length
  return (
    <div className={styles.request}>
      {count > 1 && <p className={styles.queue}>{t('approve.queue', { count })}</p>}
      <Message
        picture={
          <ProgressPicture progress="running">
            <WalletPicture src={imageUrl} size="hero" />
          </ProgressPicture>
        }
        title={t('request.confirm', { wallet: name })}
        text={t('request.hint')}
        live
      />
      <PairingStatus />
      <Button tone="secondary" onPress={() => cancelWalletRequest(id)}>
        {t('cancel')}
      </Button>
    </div>
  )
}
