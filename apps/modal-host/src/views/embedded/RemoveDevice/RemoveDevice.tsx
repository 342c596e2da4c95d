import { useCallback } from 'react'
import { deviceRemovalOf } from '../../../view-kit/embedded/device-removal'
import { useActions, useHost } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import { FrameQuestion } from '../../../view-kit/sign-in/FrameQuestion'

/** The wallet's frame names the device and takes the press. */
export default function RemoveDevice() {
  const { deviceId } = deviceRemovalOf(useHost())
  return deviceId === null ? null : <Removal deviceId={deviceId} />
}

function Removal({ deviceId }: { readonly deviceId: string }) {
  const { revokeDevice } = useActions()
  const { dispatch } = useNavigation()
  const remove = useCallback((signal: AbortSignal) => revokeDevice(deviceId, signal), [deviceId, revokeDevice])
  const leave = useCallback(() => dispatch({ kind: 'back' }), [dispatch])
  return <FrameQuestion ask={remove} onDone={leave} onRejected={leave} />
}
