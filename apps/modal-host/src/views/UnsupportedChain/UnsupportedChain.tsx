import { Button } from '@postern/ui/button'
import { CautionIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { OtherChains } from '../../features/account/OtherChains'
import columnStyles from '../../view-kit/column.module.css'
import { activeAccount } from '../../view-kit/connected-account'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { NetworkList } from '../../view-kit/networks/NetworkList'

/** The dapp does not support the wallet's network (spec §4). */
export default function UnsupportedChain() {
  const t = useText()
  const { disconnect } = useActions()
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const app = useSnapshot((snapshot) => snapshot.metadata?.name) ?? t('unsupported.app')
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const connected = activeAccount({ connections, activeNetworkId })
  // The view briefly outlives its connection.
  if (connected === null) return null
  return (
    <div className={columnStyles.gap4}>
      <Message
        picture={
          <MessageGlyph tone="warn">
            <CautionIcon />
          </MessageGlyph>
        }
        title={t('unsupported.headline')}
        text={t('unsupported.text', { app })}
      />
      <NetworkList
        label={t('networks.title')}
        networks={networks.filter(({ chainNamespace }) => chainNamespace === connected.namespace)}
        current={null}
        onDone={stay}
      />
      <OtherChains active={connected} />
      <Button tone="bad" onPress={() => void disconnect(connected.namespace)}>
        {t('account.disconnect')}
      </Button>
    </div>
  )
}

/** `boot/navigation/follow.ts` navigates. */
function stay(): void {}
