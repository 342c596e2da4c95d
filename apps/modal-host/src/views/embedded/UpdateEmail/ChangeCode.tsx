import { useState } from 'react'
import type { EmailChangeAttempt } from '../../../snapshot/contract'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import { CodePlace } from '../../../view-kit/sign-in/CodePlace'
import styles from '../../../view-kit/sign-in/sign-in.module.css'

export function ChangeCode({ step }: { readonly step: string }) {
  const { retryEmailChange } = useActions()
  const change = useShownChange()
  if (change === null) return null
  return (
    <div className={styles.step}>
      <p className={styles.mailed}>{step}</p>
      <CodePlace failure={change.error} onRetry={retryEmailChange} />
    </div>
  )
}

/** Keeps the last change while its view leaves. */
export function useShownChange(): EmailChangeAttempt | null {
  const change = useSnapshot((snapshot) => snapshot.emailChange)
  const [last, setLast] = useState(change)
  if (change !== null && change !== last) setLast(change)
  return change ?? last
}
