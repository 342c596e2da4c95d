import { useCallback } from 'react'
import { useActions } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import { FrameQuestion } from '../../../view-kit/sign-in/FrameQuestion'

/**
 * The wallet's frame takes the press that opens its own window, which deletes the account. The sign-out leaves this
 * view.
 */
export default function DeleteAccount() {
  const { deleteAccount } = useActions()
  const { dispatch } = useNavigation()
  const leave = useCallback(() => dispatch({ kind: 'back' }), [dispatch])
  return <FrameQuestion ask={deleteAccount} onRejected={leave} />
}
