import { useLayoutEffect } from 'react'
import type { View } from '../snapshot/views'
import { useNavigation } from './navigation'

/** Replaces a view that has become empty; null: not empty. Account resets the history. */
export function useRedirect(to: View | null): void {
  const { dispatch } = useNavigation()
  useLayoutEffect(() => {
    if (to !== null) dispatch({ kind: to === 'Account' ? 'reset' : 'replace', view: to })
  }, [to, dispatch])
}
