import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Unseen } from '@postern/ui/unseen'
import { useSnapshot } from '../host-context'
import { useErrorMessage } from '../messages/error-message'
import { WalletFramePlace } from '../wallet-frame/WalletFramePlace'
import frame from '../wallet-frame/wallet-frame-place.module.css'
import type { Failure } from './StepError'
import styles from './sign-in.module.css'

type CodePlaceProps = {
  /** The wallet's frame shows a refused code. */
  readonly failure: Failure | null
  readonly onRetry: () => void
}

export function CodePlace({ failure, onRetry }: CodePlaceProps) {
  const t = useText()
  const errorMessage = useErrorMessage()
  const entry = useSnapshot(({ codeEntry }) => codeEntry)
  return (
    <>
      {(entry !== null || failure === null) && (
        <WalletFramePlace id={entry?.id ?? ''} height={entry?.height ?? null} label={t('code.toEntry')}>
          <Unseen>{t('code.loading')}</Unseen>
          <span className={frame.skeletonHeadline} />
          <span className={frame.skeletonCode} />
        </WalletFramePlace>
      )}
      {failure !== null && (
        <p className={styles.failure} role="alert">
          {errorMessage(failure.code, failure.message)}
        </p>
      )}
      {failure !== null && entry === null && (
        <p className={styles.links}>
          <TextButton onPress={onRetry}>{t('tryAgain')}</TextButton>
        </p>
      )}
    </>
  )
}
