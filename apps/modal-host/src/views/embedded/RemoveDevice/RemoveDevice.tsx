import { useEffect, useState } from 'react'
import { deviceRemovalOf } from '../../../view-kit/embedded/device-removal'
import { useActions, useHost } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import { readError } from '../../../view-kit/read-error'
import { CodePlace } from '../../../view-kit/sign-in/CodePlace'
import type { Failure } from '../../../view-kit/sign-in/StepError'
import styles from '../../../view-kit/sign-in/sign-in.module.css'

/** The wallet's frame names the device and takes the press that removes it. */
export default function RemoveDevice() {
  const { deviceId } = deviceRemovalOf(useHost())
  const [attempt, setAttempt] = useState(0)
  if (deviceId === null) return null
  return <Removal key={attempt} deviceId={deviceId} onRetry={() => setAttempt(attempt + 1)} />
}

function Removal({ deviceId, onRetry }: { readonly deviceId: string; readonly onRetry: () => void }) {
  const { revokeDevice } = useActions()
  const { dispatch } = useNavigation()
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    const leave = () => dispatch({ kind: 'back' })
    revokeDevice(deviceId, controller.signal).then(
      () => {
        if (!controller.signal.aborted) leave()
      },
      (thrown: unknown) => {
        if (controller.signal.aborted) return
        const error = readError(thrown)
        if (error.code === 'USER_REJECTED') leave()
        else setFailure(error)
      },
    )
    return () => controller.abort()
  }, [deviceId, revokeDevice, dispatch])
  return (
    <div className={styles.step}>
      <CodePlace failure={failure} onRetry={onRetry} />
    </div>
  )
}
