import { useState } from 'react'
import type { EmailChangeAttempt } from '../../../snapshot/contract'
import { useSnapshot } from '../../../view-kit/host-context'

/** Keeps the last change while its view leaves. */
export function useShownChange(): EmailChangeAttempt | null {
  const change = useSnapshot((snapshot) => snapshot.emailChange)
  const [last, setLast] = useState(change)
  if (change !== null && change !== last) setLast(change)
  return change ?? last
}
