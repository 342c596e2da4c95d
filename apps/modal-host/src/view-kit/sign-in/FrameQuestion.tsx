import { useEffect, useState } from 'react'
import { readError } from '../messages/read-error'
import { CodePlace } from './CodePlace'
import type { Failure } from './StepError'
import styles from './sign-in.module.css'

type FrameQuestionProps = {
  /** Must be stable: another function asks again. */
  readonly ask: (signal: AbortSignal) => Promise<void>
  readonly onDone?: () => void
  /** Default: shows the failure with a retry. */
  readonly onRejected?: () => void
}

export function FrameQuestion(props: FrameQuestionProps) {
  const [attempt, setAttempt] = useState(0)
  return <Attempt key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
}

function Attempt({ ask, onDone, onRejected, onRetry }: FrameQuestionProps & { readonly onRetry: () => void }) {
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    ask(controller.signal).then(
      () => {
        if (!controller.signal.aborted) onDone?.()
      },
      (thrown: unknown) => {
        if (controller.signal.aborted) return
        const error = readError(thrown)
        if (error.code === 'USER_REJECTED' && onRejected !== undefined) onRejected()
        else setFailure(error)
      },
    )
    return () => controller.abort()
  }, [ask, onDone, onRejected])
  return (
    <div className={styles.step}>
      <CodePlace failure={failure} onRetry={onRetry} />
    </div>
  )
}
