import { useLayoutEffect } from 'react'
import { useNavigation, type View } from './navigation'

/** Replaces this view once it is empty; null while it is not. Account resets the history. */
export function useLeave(to: View | null): void {
  const { take } = useNavigation()
  useLayoutEffect(() => {
    if (to !== null) take({ kind: to === 'Account' ? 'reset' : 'beside', view: to })
  }, [to, take])
}
