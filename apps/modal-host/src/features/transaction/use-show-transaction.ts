import { useHost } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { shownTransaction } from './shown'

/** The back button leads to the view that requested it. */
export function useShowTransaction(): (id: string) => void {
  const host = useHost()
  const { go } = useNavigation()
  return (id) => {
    shownTransaction(host).setState({ id })
    go('TransactionProgress')
  }
}
