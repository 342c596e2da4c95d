import { useState } from 'react'
import type { EmailChangeAttempt } from '../../snapshot/contract'
import { useSnapshot } from '../../view-kit/host-context'

/** The change of address to show. It ends as its view is left, or done: it keeps its last face until that is gone. */
export function useShownChange(): EmailChangeAttempt | null {
  const change = useSnapshot((snapshot) => snapshot.emailChange)
  const [last, setLast] = useState(change)
  if (change !== null && change !== last) setLast(change)
  return change ?? last
}
