import { useLayoutEffect } from 'react'
import { useNavigation, type View } from './navigation'

/** Leads to another view, in the place of this one, once this one has nothing to show; null while it has. From Account there is no way back. */
export function useLeave(to: View | null): void {
  const { take } = useNavigation()
  useLayoutEffect(() => {
    if (to !== null) take({ kind: to === 'Account' ? 'reset' : 'beside', view: to })
  }, [to, take])
}
