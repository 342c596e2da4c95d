import { type SignInProvider, signInProviderNames } from '@postern/protocol'
import { BrandMark } from '@postern/ui/brand-mark'
import { Button } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import styles from './SocialSection.module.css'

/** The first by name, the others as logos. */
export function SocialSection() {
  const t = useText()
  const { signInWithSocial, signInWithFarcaster } = useActions()
  const { socials, farcaster } = useSnapshot((snapshot) => snapshot.signInMethods)
  const wanted = useSnapshot(({ wantedMethod }) => (wantedMethod?.kind === 'social' ? wantedMethod.provider : null))
  const offered: readonly SignInProvider[] = farcaster ? [...socials, 'farcaster'] : socials
  const all = wanted === null ? offered : [wanted]
  // Two accounts are both shown by name: a row would have a single logo.
  const inWords = all.length > 2 ? 1 : all.length
  const signIn = (provider: SignInProvider) =>
    provider === 'farcaster' ? signInWithFarcaster() : signInWithSocial(provider)
  return (
    <div className={styles.socials}>
      {all.slice(0, inWords).map((provider) => (
        <Button key={provider} tone="secondary" onPress={() => signIn(provider)}>
          <BrandMark brand={provider} />
          {t('social.continue', { provider: signInProviderNames[provider] })}
        </Button>
      ))}
      {all.length > inWords && (
        <ul className={styles.others}>
          {all.slice(inWords).map((provider) => (
            <li key={provider}>
              <button
                type="button"
                className={styles.other}
                aria-label={t('social.continue', { provider: signInProviderNames[provider] })}
                title={signInProviderNames[provider]}
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
