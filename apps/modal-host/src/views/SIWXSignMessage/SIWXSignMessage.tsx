import { shortAddress } from '@postern/chains/text'
import { Button, ButtonPair } from '@postern/ui/button'
import { Fact, Facts } from '@postern/ui/facts'
import { type TextKey, useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { WalletPicture } from '@postern/ui/picture'
import { plainText } from '@postern/ui/plain-text'
import { type Progress, ProgressPicture } from '@postern/ui/progress'
import type { SignInPrompt } from '../../snapshot/contract'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { useErrorMessage } from '../../view-kit/messages/error-message'
import styles from './SIWXSignMessage.module.css'

export default function SIWXSignMessage() {
  const prompt = useSnapshot((snapshot) => snapshot.signInPrompt)
  // The view briefly outlives its prompt.
  return prompt === null ? null : <Prompt prompt={prompt} />
}

/** Of the dapp's message. */
const maxDetailLength = 160

const waitingFor: Readonly<Record<Exclude<SignInPrompt['step'], 'asked'>, TextKey>> = {
  checking: 'siwx.checking',
  preparing: 'siwx.preparing',
  signing: 'siwx.signing',
  saving: 'siwx.saving',
}

function Prompt({ prompt }: { readonly prompt: SignInPrompt }) {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { signInWithWallet, cancelSignInWithWallet } = useActions()
  const network = useSnapshot(({ networks }) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === prompt.networkId),
  )
  const { step, error, wallet, isRequired, domain } = prompt
  const isWaiting = step === 'asked'
  const names = { wallet: wallet.name }
  return (
    <div className={styles.prompt}>
      <Message
        picture={
          <ProgressPicture progress={progressOf(prompt)}>
            <WalletPicture src={wallet.imageUrl} size="hero" />
          </ProgressPicture>
        }
        title={
          isWaiting
            ? error === null
              ? t('siwx.heading')
              : errorMessage(error.code, error.message)
            : t(waitingFor[step], names)
        }
        text={
          error?.detail !== undefined
            ? plainText(error.detail, maxDetailLength)
            : t(error === null ? 'siwx.text' : 'siwx.again', names)
        }
        live
      />
      <Facts label={t('siwx.title')}>
        <Fact name={t('siwx.app')}>{domain}</Fact>
        <Fact name={t('siwx.account')}>
          <span title={prompt.address}>{shortAddress(prompt.address)}</span>
        </Fact>
        {network !== undefined && <Fact name={t('siwx.network')}>{network.name}</Fact>}
      </Facts>
      <div className={styles.actions}>
        <ButtonPair>
          <Button tone="secondary" onPress={cancelSignInWithWallet}>
            {t('cancel')}
          </Button>
          <Button tone="primary" busy={!isWaiting} onPress={signInWithWallet}>
            {error === null ? t('siwx.sign') : t('tryAgain')}
          </Button>
        </ButtonPair>
        {isRequired && <p className={styles.note}>{t('siwx.required', names)}</p>}
      </div>
    </div>
  )
}

function progressOf({ step, error }: SignInPrompt): Progress {
  if (step !== 'asked') return 'running'
  return error === null ? 'resting' : 'failed'
}
