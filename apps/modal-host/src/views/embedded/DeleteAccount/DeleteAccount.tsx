import { Button, ButtonPair } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { useRef, useState } from 'react'
import { nameOf } from '../../../view-kit/embedded/Identity'
import { useErrorMessage } from '../../../view-kit/error-message'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import { readError } from '../../../view-kit/read-error'
import { CodeEntry, type Failure } from '../../../view-kit/sign-in/CodeEntry'
import { EmailSentTo } from '../../../view-kit/sign-in/EmailSentTo'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useFocusFallback } from '../../../view-kit/use-focus-fallback'

/** `typed` is null until six digits; without an email address none are needed. */
type Step =
  | { readonly kind: 'asking' | 'mailing' }
  | { readonly kind: 'code'; readonly needsCode: boolean; readonly typed: string | null; readonly deleting: boolean }

export default function DeleteAccount() {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { requestDeletion, deleteAccount } = useActions()
  const { back } = useNavigation()
  const embedded = useSnapshot((snapshot) => snapshot.embedded)
  const [step, setStep] = useState<Step>({ kind: 'asking' })
  const [failure, setFailure] = useState<Failure | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, step.kind)
  if (embedded === null) return null
  const { email } = embedded
  const request = () => {
    setFailure(null)
    setStep({ kind: 'mailing' })
    requestDeletion().then(
      // Without an email address a recent sign-in suffices.
      ({ needsCode }) => setStep({ kind: 'code', needsCode, typed: null, deleting: false }),
      (thrown: unknown) => {
        setFailure(readError(thrown))
        setStep({ kind: 'asking' })
      },
    )
  }
  const remove = (needsCode: boolean, typed: string) => {
    setFailure(null)
    setStep({ kind: 'code', needsCode, typed, deleting: true })
    // The sign-out leaves this view.
    deleteAccount(typed).catch((thrown: unknown) => {
      setFailure(readError(thrown))
      setStep({ kind: 'code', needsCode, typed: null, deleting: false })
    })
  }
  const keep = (
    <Button tone="secondary" onPress={back}>
      {t('delete.keep')}
    </Button>
  )
  if (step.kind !== 'code')
    return (
      <div ref={place} className={styles.step} tabIndex={-1}>
        <Notice tone="bad" title={t('delete.warning')} text={t('delete.warningText')} />
        <ul className={styles.steps}>
          <li className={styles.one}>{t('delete.keys', { name: nameOf(embedded) })}</li>
          <li className={styles.one}>{t('delete.assets')}</li>
          <li className={styles.one}>{t('delete.export')}</li>
        </ul>
        <p className={styles.failure} role="alert">
          {failure !== null && errorMessage(failure.code, failure.message)}
        </p>
        <ButtonPair>
          {keep}
          <Button tone="bad" busy={step.kind === 'mailing'} onPress={request}>
            {t('delete.continue')}
          </Button>
        </ButtonPair>
      </div>
    )
  const { needsCode, typed, deleting } = step
  const isReady = !needsCode || typed !== null
  return (
    <div ref={place} className={styles.step} tabIndex={-1}>
      {!needsCode ? (
        <>
          <p className={styles.mailed}>{t('delete.last')}</p>
          <p className={styles.failure} role="alert">
            {failure !== null && errorMessage(failure.code, failure.message)}
          </p>
        </>
      ) : (
        <>
          <p>
            <EmailSentTo text={t('otp.mailed')} email={email ?? ''} />
          </p>
          <CodeEntry
            label={t('otp.label')}
            busy={deleting}
            failure={failure}
            onSubmit={(code) => setStep({ kind: 'code', needsCode, typed: code, deleting: false })}
            onIncomplete={() => setStep({ kind: 'code', needsCode, typed: null, deleting: false })}
          />
        </>
      )}
      <ButtonPair>
        {keep}
        <Button tone="bad" busy={deleting} disabled={!isReady} onPress={() => remove(needsCode, typed ?? '')}>
          {t('delete.button')}
        </Button>
      </ButtonPair>
    </div>
  )
}
