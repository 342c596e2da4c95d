import { signInProviderNames } from '@postern/protocol'
import { BrandMark } from '@postern/ui/brand-mark'
import { useText } from '@postern/ui/locales/text'
import { Unseen } from '@postern/ui/unseen'
import { MailIcon } from '@postern/ui/view-icons'
import type { Embedded, ReturningUser } from '../../snapshot/contract'
import styles from './Identity.module.css'

type Who = Pick<Embedded, 'email' | 'userName' | 'provider'>

export function Identity({ who }: { readonly who: Who }) {
  const t = useText()
  const { provider } = who
  const name = nameOf(who)
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

function nameOf({ email, userName, provider }: Who): string {
  return email ?? userName ?? (provider === 'email' ? '' : signInProviderNames[provider])
}

/** Who signed in; null if this browser does not store it. */
export function returningWho(user: ReturningUser | null): Who | null {
  return user === null || user.provider === null
    ? null
    : { email: null, userName: user.userName, provider: user.provider }
}
