import { useHost } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { shownTransaction } from './shown'

/** Goes to what becomes of a transaction, by the id that `transact` gave. The way back leads to the view that asked for it. */
export function useShowTransaction(): (id: string) => void {
  const host = useHost()
  const { go } = useNavigation()
  return (id) => {
    shownTransaction(host).setState({ id })
    go('TransactionProgress')
  }
}
