import { useText } from '@postern/ui/locales/text'
import { Row, RowGlyph } from '@postern/ui/row'
import { ForwardIcon, KeyIcon } from '@postern/ui/view-icons'
import { useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'

/** Off by default (spec §1). */
export function SessionsRow() {
  const t = useText()
  const { push } = useNavigation()
  const isOn = useSnapshot(({ features }) => features.smartSessions)
  // Other wallets could not revoke these grants.
  const canRevoke = useSnapshot(({ connections }) => {
    const connection = connections.eip155
    const isConnected = connection?.status === 'connected'
    return isConnected && connection.connector.type === 'AUTH' && connection.accounts[0]?.type === 'smartAccount'
  })
  if (!isOn || !canRevoke) return null
  return (
    <li>
      <Row
        icon={
          <RowGlyph>
            <KeyIcon />
          </RowGlyph>
        }
        title={t('sessions.title')}
        trailing={<ForwardIcon small />}
        onPress={() => push('SmartSessions')}
      />
    </li>
  )
}
