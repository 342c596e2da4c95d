import { TextButton } from '@postern/ui/button'
import { List } from '@postern/ui/list'
import { useText } from '@postern/ui/locales/text'
import { useState } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { AttemptMessage } from '../../view-kit/attempt/AttemptMessage'
import { AttemptSection } from '../../view-kit/attempt/AttemptSection'
import { useShownAttempt } from '../../view-kit/attempt/use-attempt'
import { useSnapshot } from '../../view-kit/host-context'
import { CopyLink } from '../../view-kit/pairing/CopyLink'
import { PairingCode } from '../../view-kit/pairing/PairingCode'
import { PairingStatus } from '../../view-kit/pairing/PairingStatus'
import { AllWalletsRow } from '../../view-kit/wallets/AllWalletsRow'
import { WalletRowButton } from '../../view-kit/wallets/WalletRowButton'
import { platformOf } from '../../view-kit/wallets/wallet-rows'
import styles from './ConnectingWalletConnectBasic.module.css'

/** On a phone, also wallets that may be installed. */
export default function ConnectingWalletConnectBasic() {
  const attempt = useShownAttempt()
  if (attempt === null || attempt.status.kind === 'choosing') return null
  const { status } = attempt
  return (
    <AttemptSection status={status}>
      {status.kind === 'waiting' ? <Waiting attempt={attempt} /> : <AttemptMessage attempt={{ ...attempt, status }} />}
    </AttemptSection>
  )
}

function Waiting({ attempt }: { readonly attempt: ConnectAttempt }) {
  const [elsewhere, setElsewhere] = useState(false)
  return platformOf(navigator.userAgent) === 'desktop' || elsewhere ? (
    <AnyWallet attempt={attempt} />
  ) : (
    <WalletsOfThisPhone attempt={attempt} onElsewhere={() => setElsewhere(true)} />
  )
}

function AnyWallet({ attempt: { row, pairing } }: { readonly attempt: ConnectAttempt }) {
  const t = useText()
  return (
    <div className={styles.connecting}>
      <PairingCode pairing={pairing} wallet={row.name} imageUrl={row.imageUrl} />
      <PairingStatus hint={t('pairing.scan')} />
      <CopyLink pairing={pairing} />
    </div>
  )
}

function WalletsOfThisPhone({
  attempt,
  onElsewhere,
}: {
  readonly attempt: ConnectAttempt
  readonly onElsewhere: () => void
}) {
  const t = useText()
  const wallets = useSnapshot((snapshot) => snapshot.wallets)
  const withApp = wallets.filter(({ walletConnect, entry }) => walletConnect === true && entry?.mobile_link)
  return (
    <div className={styles.connecting}>
      <PairingStatus hint={t('pairing.here')} />
      <List label={t('pairing.here')}>
        {withApp.map((row) => (
          <li key={row.id}>
            <WalletRowButton row={row} />
          </li>
        ))}
        <AllWalletsRow />
      </List>
      <CopyLink pairing={attempt.pairing} />
      <p className={styles.elsewhere}>
        <TextButton onPress={onElsewhere}>{t('pairing.otherDevice')}</TextButton>
      </p>
    </div>
  )
}
