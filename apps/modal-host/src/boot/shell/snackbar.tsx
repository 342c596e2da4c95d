import { isErrorCode, limits } from '@postern/protocol'
import { useEffect, useState } from 'react'
import { messageMark } from '../../snapshot/frame-place'
import { useSnapshot } from '../../view-kit/host-context'
import { useCommonText, useErrorMessage } from '../../view-kit/messages/error-message'
import styles from './snackbar.module.css'

const snackbarDurationMs = 4_000

/** A repeated message disappears for 150 ms (spec §9), so that it looks new. */
export function Snackbar() {
  const snackbar = useSnapshot((snapshot) => snapshot.snackbar)
  const text = useCommonText()
  const errorMessage = useErrorMessage()
  const [shown, setShown] = useState<number | null>(null)
  const key = snackbar?.key ?? null
  useEffect(() => {
    if (key === null) return
    const show = setTimeout(() => setShown(key), limits.snackbarReshowDelay)
    const hide = setTimeout(() => setShown(null), limits.snackbarReshowDelay + snackbarDurationMs)
    return () => {
      clearTimeout(show)
      clearTimeout(hide)
      setShown(null)
    }
  }, [key])
  const failed = snackbar?.common?.replace(/^error\./, '')
  const code = isErrorCode(failed) ? failed : null
  const visible = snackbar !== null && shown === snackbar.key
  return (
    <div className={styles.place} role={snackbar?.tone === 'bad' ? 'alert' : 'status'}>
      {visible && (
        <p key={snackbar.key} className={styles.snackbar} data-tone={snackbar.tone} {...{ [messageMark]: '' }}>
          {code === null ? text(snackbar.common, snackbar.text) : errorMessage(code, snackbar.text)}
        </p>
      )}
    </div>
  )
}
