import type { RecoveryRule } from '@postern/protocol'
import { Button } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { KeyIcon } from '@postern/ui/view-icons'
import { useActions, useSnapshot } from '../host-context'
import { useErrorMessage } from '../messages/error-message'
import type { Failure } from './StepError'
import styles from './sign-in.module.css'

type KeepSafeProps = { readonly rule: RecoveryRule; readonly failure: Failure | null }

/** The wallet's own window sets up a passkey or passphrase. */
export function KeepSafe({ rule, failure }: KeepSafeProps) {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { openWalletWindow, createWallet } = useActions()
  const provider = useSnapshot((snapshot) => snapshot.embedded?.provider ?? 'email')
  return (
    <div className={styles.step}>
      <Message
        picture={
          <MessageGlyph>
            <KeyIcon />
          </MessageGlyph>
        }
        title={t('keepSafe.title')}
        text={t('keepSafe.text', { rule })}
        live
      />
      <p role="alert" className={styles.failure}>
        {failure === null ? '' : errorMessage(failure.code, failure.message)}
      </p>
      <div className={styles.actions}>
        <Button tone="primary" onPress={() => openWalletWindow('create')}>
          {t('keepSafe.choose')}
        </Button>
        <p className={styles.hint}>{t('keepSafe.chooseHint')}</p>
      </div>
      {rule === 'any' && (
        <div className={styles.actions}>
          <Button tone="secondary" onPress={createWallet}>
            {t('keepSafe.signIn', { provider })}
          </Button>
          <p className={styles.hint}>{t('keepSafe.signInHint')}</p>
        </div>
      )}
    </div>
  )
}
