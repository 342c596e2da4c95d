import { useText } from '../../locales/text'
import { BrandMark } from '../../ui/brand-mark'
import { Button } from '../../ui/button'
import { useActions, useSnapshot } from '../host-context'
import { providerNames, type SignInProvider } from '../providers'
import styles from './SocialSection.module.css'

/** Accounts elsewhere to sign in with: the first in words, the others by their marks. */
export function SocialSection() {
  const t = useText()
  const { signInWithSocial, signInWithFarcaster } = useActions()
  const { socials, farcaster } = useSnapshot((snapshot) => snapshot.signInMethods)
  const [first, ...others]: readonly SignInProvider[] = farcaster ? [...socials, 'farcaster'] : socials
  if (first === undefined) return null
  const signIn = (provider: SignInProvider) =>
    provider === 'farcaster' ? signInWithFarcaster() : signInWithSocial(provider)
  return (
    <div className={styles.socials}>
      <Button tone="secondary" onPress={() => signIn(first)}>
        <BrandMark brand={first} />
        {t('social.continue', { provider: providerNames[first] })}
      </Button>
      {others.length > 0 && (
        <ul className={styles.others}>
          {others.map((provider) => (
            <li key={provider}>
              <button
                type="button"
                className={styles.other}
                aria-label={t('social.continue', { provider: providerNames[provider] })}
                title={providerNames[provider]}
                onClick={() => signIn(provider)}
              >
                <BrandMark brand={provider} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
