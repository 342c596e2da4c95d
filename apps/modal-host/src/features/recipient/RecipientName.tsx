import { isSameAddress } from '@postern/chains/same-address'
import type { Account } from '@postern/protocol'
import { FullAddress } from '@postern/ui/full-address'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { useMoney } from '../../view-kit/host-context'
import { lookalikeOf, recentRecipients } from './recent-recipients'
import styles from './recipient-field.module.css'
import { unusualLetters } from './unusual-letters'

type RecipientNameProps = {
  readonly address: string
  readonly name?: string | null
  readonly account: Account
}

/** Warns of a lookalike of a known address, or of the sender. */
export function RecipientName({ address, name, account }: RecipientNameProps) {
  const t = useText()
  const money = useMoney()
  if (isSameAddress(address, account.address)) return <Notice tone="info" title={t('recipient.self')} />
  const other = lookalikeOf(address, recentRecipients(money, account))
  const letters = unusualLetters(name ?? '')
  if (other === null)
    return letters.length === 0 ? null : (
      <Notice
        tone="warn"
        title={t('recipient.letters')}
        text={t('recipient.lettersText', { letters: letters.join(' ') })}
      />
    )
  return (
    <Notice tone="bad" title={t('recipient.lookalike')} text={t('recipient.lookalikeText')}>
      <div className={styles.other}>
        <FullAddress address={other.address} />
      </div>
    </Notice>
  )
}
