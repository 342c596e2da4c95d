import { createStore } from 'zustand/vanilla'
import { useHost } from '../../view-kit/host-context'
import { perHost } from '../../view-kit/loading/per-host'
import { useNavigation } from '../../view-kit/navigation'

type Shown = { readonly id: string | null }

export const shownTransaction = perHost(() => createStore<Shown>(() => ({ id: null })))

/** Back leads to the view that requested it, or with `replace` to the one before. */
export function useShowTransaction(): (id: string, how?: 'push' | 'replace') => void {
  const host = useHost()
  const navigation = useNavigation()
  return (id, how = 'push') => {
    shownTransaction(host).setState({ id })
    navigation[how]('TransactionProgress')
  }
}
