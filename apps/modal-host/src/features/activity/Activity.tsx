import { useSnapshot } from '../../view-kit/host-context'
import { useRedirect } from '../../view-kit/navigation'
import { useScopes } from '../account/account-state'
import { ActivityList } from './ActivityList'

export default function Activity() {
  const isOn = useSnapshot((snapshot) => snapshot.features.history)
  const { scopes } = useScopes()
  // Home reports an unsupported network.
  const isShown = isOn && scopes.length > 0
  useRedirect(isShown ? null : 'Account')
  return isShown ? <ActivityList /> : null
}
