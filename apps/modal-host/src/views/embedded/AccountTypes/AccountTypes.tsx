import { FullAddress } from '@postern/ui/full-address'
import { useText } from '@postern/ui/locales/text'
import { Status } from '@postern/ui/unseen'
import { CheckIcon } from '@postern/ui/view-icons'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import styles from './AccountTypes.module.css'

export default function AccountTypes() {
  const t = useText()
  const { preferAccount } = useActions()
  const embedded = useSnapshot((snapshot) => snapshot.embedded)
  if (embedded === null) return null
  const { accounts, preferred, smartAccountDeployed } = embedded
  return (
    <div className={styles.types}>
      <p className={styles.intro}>{t('types.intro')}</p>
      <ul className={styles.list}>
        {accounts.map(({ type, address }) => (
          <li key={type} className={styles.type} data-current={type === preferred || undefined}>
            <button
              type="button"
              className={styles.choose}
              aria-pressed={type === preferred}
              onClick={() => type !== preferred && preferAccount(type)}
            >
              <span className={styles.name}>
                {t('types.name', { type })}
                {type === preferred && (
                  <span className={styles.current}>
                    {t('types.current')}
                    <CheckIcon small />
                  </span>
                )}
              </span>
              <span className={styles.text}>{t('types.text', { type })}</span>
              {type === 'smartAccount' && !smartAccountDeployed && (
                <span className={styles.text}>{t('types.notDeployed')}</span>
              )}
            </button>
            <div className={styles.address}>
              <FullAddress address={address} />
            </div>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('types.hint')}</p>
      <Status>{t('types.used', { type: preferred })}</Status>
    </div>
  )
}
