import type { WalletDevice } from '@postern/protocol'
import { TextButton } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import { PlainRow, RowGlyph, Tag } from '@postern/ui/row'
import { DeviceIcon } from '@postern/ui/view-icons'
import { deviceRemovalOf } from '../../../view-kit/embedded/device-removal'
import { useHost } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import styles from './WalletSecurity.module.css'

export function Devices({ devices }: { readonly devices: readonly WalletDevice[] }) {
  const t = useText()
  const { push } = useNavigation()
  const removal = deviceRemovalOf(useHost())
  const remove = (id: string) => {
    removal.deviceId = id
    push('RemoveDevice')
  }
  const ordered = [...devices].sort((a, b) => Number(b.isThis) - Number(a.isThis) || b.usedAt - a.usedAt)
  return (
    <ul className={styles.rows}>
      {ordered.map((device) => (
        <li key={device.id}>
          <PlainRow
            icon={
              <RowGlyph>
                <DeviceIcon />
              </RowGlyph>
            }
            title={device.name}
            detail={<LastUsed time={device.usedAt} />}
            trailing={
              device.isThis ? (
                <Tag tone="active">{t('security.thisDevice')}</Tag>
              ) : (
                <TextButton onPress={() => remove(device.id)}>{t('security.remove')}</TextButton>
              )
            }
          />
        </li>
      ))}
    </ul>
  )
}

function LastUsed({ time }: { readonly time: number }) {
  const t = useText()
  const locale = useLocale()
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(time)
  return <>{t('security.used', { date })}</>
}
