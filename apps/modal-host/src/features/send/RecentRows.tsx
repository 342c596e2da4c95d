import { shortAddress } from '@postern/chains/text'
import type { Account } from '@postern/protocol'
import { Identicon } from '@postern/ui/identicon'
import { List } from '@postern/ui/list'
import { useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { Row } from '@postern/ui/row'
import { useMoney } from '../../view-kit/host-context'
import { recentRecipients } from '../recipient/recent-recipients'
import styles from './send.module.css'

const shown = 2

export function RecentRows({
  account,
  onChoose,
}: {
  readonly account: Account
  readonly onChoose: (recipient: string) => void
}) {
  const t = useText()
  const money = useMoney()
  const recents = recentRecipients(money, account).slice(0, shown)
  if (recents.length === 0) return null
  return (
    <div className={styles.recents}>
      <p className={styles.note}>{t('send.recent')}</p>
      <List label={t('send.recent')}>
        {recents.map(({ address, name }) => (
          <li key={address}>
            <Row
              icon={
                <span className={styles.face}>
                  <Identicon address={address} />
                </span>
              }
              title={name === undefined ? shortAddress(address) : plainText(name)}
              {...(name !== undefined && { detail: shortAddress(address) })}
              // A name may resolve to another address by now.
              onPress={() => onChoose(address)}
            />
          </li>
        ))}
      </List>
    </div>
  )
}
