import { useActions } from '../../../view-kit/host-context'
import { CodePlace } from '../../../view-kit/sign-in/CodePlace'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { useShownChange } from './use-change'

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
