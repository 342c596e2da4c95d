import { useState } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { useActions, useSnapshot } from '../host-context'
import { useNavigation } from '../navigation'

/** The attempt to show. It ends as its view is left: it keeps its last face until it is gone. */
export function useShownAttempt(): ConnectAttempt | null {
  const attempt = useSnapshot((snapshot) => snapshot.connectAttempt)
  const [last, setLast] = useState(attempt)
  if (attempt !== null && attempt !== last) setLast(attempt)
  return attempt ?? last
}

/** Gives up the attempt, and goes back to where it was begun. */
export function useLeaveAttempt(): () => void {
  const { cancelConnect } = useActions()
  const { back } = useNavigation()
  return () => {
    cancelConnect()
    back()
  }
}
