import { signInProviderNames } from '@postern/protocol'
import { BrandMark } from '@postern/ui/brand-mark'
import { ButtonLink } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import type { ReactNode } from 'react'
import type { Pairing, SignIn } from '../../../snapshot/contract'
import { useActions } from '../../../view-kit/host-context'
import { CopyLink } from '../../../view-kit/pairing/CopyLink'
import { PairingCode } from '../../../view-kit/pairing/PairingCode'
import { OpeningWallet } from '../../../view-kit/sign-in/OpeningWallet'
import { SignInSection } from '../../../view-kit/sign-in/SignInSection'
import { StepError } from '../../../view-kit/sign-in/StepError'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useShownSignIn } from '../../../view-kit/sign-in/use-sign-in'
import { isWebLink, platformOf } from '../../../view-kit/wallets/wallet-rows'

type FarcasterSignIn = Extract<SignIn, { kind: 'farcaster' }>

export default function ConnectingFarcaster() {
  const signIn = useShownSignIn('farcaster')
  if (signIn === null) return null
  return (
    <SignInSection signIn={signIn}>
      <Step signIn={signIn} />
    </SignInSection>
  )
}

function Step({ signIn }: { readonly signIn: FarcasterSignIn }): ReactNode {
  const t = useText()
  const { retrySignIn } = useActions()
  const { step, error, url } = signIn
  const provider = signInProviderNames.farcaster
  if (step === 'opening') return <OpeningWallet failure={error} onRetry={retrySignIn} />
  if (error !== null)
    return <StepError title={t('social.failed', { provider })} failure={error} onRetry={retrySignIn} />
  const link: Pairing = url === undefined ? { kind: 'preparing' } : { kind: 'ready', uri: url, expiresAt: 0 }
  const isHere = platformOf(navigator.userAgent) !== 'desktop'
  return (
    <>
      <PairingCode pairing={link} wallet={provider} imageUrl={undefined} mark={<BrandMark brand="farcaster" large />} />
      <p className={styles.mailed} role="status">
        {t(isHere ? 'farcaster.hintHere' : 'farcaster.hint')}
      </p>
      <div className={styles.actions}>
        {isHere && isWebLink(url) && (
          <ButtonLink tone="primary" href={url}>
            {t('pairing.openApp', { wallet: provider })}
          </ButtonLink>
        )}
        <CopyLink pairing={link} />
      </div>
    </>
  )
}
