import { type TextKey, useText } from '@postern/ui/locales/text'
import { Tabs } from '@postern/ui/tabs'
import { useState } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { AttemptMessage } from '../../view-kit/attempt/AttemptMessage'
import { AttemptPlace } from '../../view-kit/attempt/AttemptPlace'
import { useShownAttempt } from '../../view-kit/attempt/use-attempt'
import { platformOf } from '../../view-kit/wallet-rows'
import styles from './ConnectingWalletConnect.module.css'
import { WayPanel } from './WayPanel'
import { type Way, waysTo } from './ways'

/** The ways to reach the wallet, then the outcome. */
export default function ConnectingWalletConnect() {
  const attempt = useShownAttempt()
  if (attempt === null || attempt.status.kind === 'choosing') return null
  const { status } = attempt
  return (
    <AttemptPlace status={status}>
      {status.kind === 'waiting' ? (
        <Ways key={attempt.row.id} attempt={attempt} />
      ) : (
        <AttemptMessage attempt={{ ...attempt, status }} />
      )}
    </AttemptPlace>
  )
}

const labels: Readonly<Record<Way, TextKey>> = {
  code: 'pairing.mobile',
  app: 'pairing.mobile',
  desktop: 'pairing.desktop',
  web: 'pairing.web',
  extension: 'pairing.extension',
}

function Ways({ attempt }: { readonly attempt: ConnectAttempt }) {
  const t = useText()
  const ways = waysTo(attempt.row, platformOf(navigator.userAgent))
  const [chosen, choose] = useState<Way | null>(null)
  const way = ways.find((one) => one === chosen) ?? ways[0] ?? 'code'
  const panel = <WayPanel way={way} attempt={attempt} />
  return (
    <div className={styles.connecting}>
      {ways.length === 1 ? (
        panel
      ) : (
        <Tabs
          label={t('pairing.ways')}
          tabs={ways.map((id) => ({ id, label: t(labels[id]) }))}
          selected={way}
          onSelect={choose}
        >
          {panel}
        </Tabs>
      )}
    </div>
  )
}
