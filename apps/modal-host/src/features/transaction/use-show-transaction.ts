import { useHost } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { shownTransaction } from './shown-transaction'

/** Back leads to the view that requested it, or with `replace` to the one before. */
export function useShowTransaction(): (id: string, how?: 'push' | 'replace') => void {
  const host = useHost()
  const navigation = useNavigation()
  return (id, how = 'push') => {
    shownTransaction(host).setState({ id })
    navigation[how]('TransactionProgress')
  }
}
