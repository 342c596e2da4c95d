import { useState } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { useActions, useSnapshot } from '../host-context'
import { useNavigation } from '../navigation'

/** Keeps the last attempt while its view leaves. */
export function useShownAttempt(): ConnectAttempt | null {
  const attempt = useSnapshot((snapshot) => snapshot.connectAttempt)
  const [last, setLast] = useState(attempt)
  if (attempt !== null && attempt !== last) setLast(attempt)
  return attempt ?? last
}

export function useLeaveAttempt(): () => void {
  const { cancelConnect } = useActions()
  const { back } = useNavigation()
  return () => {
    cancelConnect()
    back()
  }
}
