import { type TextKey, useText } from '@postern/ui/locales/text'
import { Tabs } from '@postern/ui/tabs'
import { useState } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { AttemptMessage } from '../../view-kit/attempt/AttemptMessage'
import { AttemptSection } from '../../view-kit/attempt/AttemptSection'
import { useShownAttempt } from '../../view-kit/attempt/use-attempt'
import columnStyles from '../../view-kit/column.module.css'
import { platformOf } from '../../view-kit/wallets/wallet-rows'
import { type ConnectMethod, connectMethods } from './connect-methods'
import { MethodPanel } from './MethodPanel'

export default function ConnectingWalletConnect() {
  const attempt = useShownAttempt()
  if (attempt === null || attempt.status.kind === 'choosing') return null
  const { status } = attempt
  return (
    <AttemptSection status={status}>
      {status.kind === 'waiting' ? (
        <Ways key={attempt.row.id} attempt={attempt} />
      ) : (
        <AttemptMessage attempt={{ ...attempt, status }} />
      )}
    </AttemptSection>
  )
}

const labels: Readonly<Record<ConnectMethod, TextKey>> = {
  code: 'pairing.mobile',
  app: 'pairing.mobile',
  desktop: 'pairing.desktop',
  web: 'pairing.web',
  extension: 'pairing.extension',
}

function Ways({ attempt }: { readonly attempt: ConnectAttempt }) {
  const t = useText()
  const methods = connectMethods(attempt.row, platformOf(navigator.userAgent))
  const [chosen, choose] = useState<ConnectMethod | null>(null)
  const method = methods.find((one) => one === chosen) ?? methods[0] ?? 'code'
  const panel = <MethodPanel method={method} attempt={attempt} />
  return (
    <div className={columnStyles.gap4}>
      {methods.length === 1 ? (
        panel
      ) : (
        <Tabs
          label={t('pairing.ways')}
          tabs={methods.map((id) => ({ id, label: t(labels[id]) }))}
          selected={method}
          onSelect={choose}
        >
          {panel}
        </Tabs>
      )}
    </div>
  )
}
