import { useEffect, useState } from 'react'
import { useActions } from '../host-context'
import { readError } from '../read-error'
import { CodePlace } from './CodePlace'
import type { Failure } from './StepError'
import styles from './sign-in.module.css'

/** The wallet's frame says what happened to the old wallet, and takes the press that removes its share. */
export function EndedWallet() {
  const [attempt, setAttempt] = useState(0)
  return <Question key={attempt} onRetry={() => setAttempt(attempt + 1)} />
}

function Question({ onRetry }: { readonly onRetry: () => void }) {
  const { forgetEndedWallet } = useActions()
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    forgetEndedWallet(controller.signal).catch((thrown: unknown) => {
      if (!controller.signal.aborted) setFailure(readError(thrown))
    })
    return () => controller.abort()
  }, [forgetEndedWallet])
  return (
    <div className={styles.step}>
      <CodePlace failure={failure} onRetry={onRetry} />
    </div>
  )
}
