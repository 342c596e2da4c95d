import { signInProviderNames } from '@postern/protocol'
import { BrandMark } from '@postern/ui/brand-mark'
import { useText } from '@postern/ui/locales/text'
import { Unseen } from '@postern/ui/unseen'
import { MailIcon } from '@postern/ui/view-icons'
import type { Embedded } from '../../snapshot/contract'
import styles from './Identity.module.css'

export function Identity({ embedded }: { readonly embedded: Embedded }) {
  const t = useText()
  const { provider } = embedded
  const name = nameOf(embedded)
  return (
    <p className={styles.identity} title={name}>
      {provider === 'email' ? <MailIcon small /> : <BrandMark brand={provider} />}
      <Unseen>
        {t('identity.with', { provider: provider === 'email' ? t('email.label') : signInProviderNames[provider] })}{' '}
      </Unseen>
      <bdi className={styles.name}>{name}</bdi>
    </p>
  )
}

export function nameOf({ email, userName, provider }: Embedded): string {
  return email ?? userName ?? (provider === 'email' ? '' : signInProviderNames[provider])
}
