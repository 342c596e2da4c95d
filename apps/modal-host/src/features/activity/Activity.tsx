import { useSnapshot } from '../../view-kit/host-context'
import { useLeave } from '../../view-kit/use-leave'
import { useScopes } from '../account/account-area'
import { ActivityList } from './ActivityList'

export default function Activity() {
  const isOn = useSnapshot((snapshot) => snapshot.features.history)
  const { scopes } = useScopes()
  // Home reports a network that the dapp does not support.
  const isShown = isOn && scopes.length > 0
  useLeave(isShown ? null : 'Account')
  return isShown ? <ActivityList /> : null
}
