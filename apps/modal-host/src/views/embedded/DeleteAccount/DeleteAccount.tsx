import { Button, ButtonPair } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { useEffect, useRef, useState } from 'react'
import { nameOf } from '../../../view-kit/embedded/Identity'
import { useErrorMessage } from '../../../view-kit/error-message'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import { readError } from '../../../view-kit/read-error'
import { CodePlace } from '../../../view-kit/sign-in/CodePlace'
import type { Failure } from '../../../view-kit/sign-in/StepError'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useFocusFallback } from '../../../view-kit/use-focus-fallback'

/** What is lost; then the wallet's frame takes the code and the press that deletes. */
export default function DeleteAccount() {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { deleteAccount } = useActions()
  const { back } = useNavigation()
  const embedded = useSnapshot((snapshot) => snapshot.embedded)
  const [asking, setAsking] = useState<AbortController | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, String(asking !== null))
  useEffect(() => () => asking?.abort(), [asking])
  if (embedded === null) return null
  const begin = () => {
    const controller = new AbortController()
    setFailure(null)
    setAsking(controller)
    // The sign-out leaves this view.
    deleteAccount(controller.signal).catch((thrown: unknown) => {
      if (controller.signal.aborted) return
      const error = readError(thrown)
      setAsking(null)
      if (error.code === 'USER_REJECTED') back()
      else setFailure(error)
    })
  }
  return (
    <div ref={place} className={styles.step} tabIndex={-1}>
      {asking !== null ? (
        <CodePlace failure={null} onRetry={begin} />
      ) : (
        <>
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
            <Button tone="secondary" onPress={back}>
              {t('delete.keep')}
            </Button>
            <Button tone="bad" onPress={begin}>
              {t('delete.continue')}
            </Button>
          </ButtonPair>
        </>
      )}
    </div>
  )
}
