import { useHost } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { shownTransaction } from './shown-transaction'

/** The back button leads to the view that requested it. */
export function useShowTransaction(): (id: string) => void {
  const host = useHost()
  const { push } = useNavigation()
  return (id) => {
    shownTransaction(host).setState({ id })
    push('TransactionProgress')
  }
}
