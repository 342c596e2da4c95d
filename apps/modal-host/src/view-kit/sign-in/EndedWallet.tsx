import { useActions } from '../host-context'
import { FrameQuestion } from './FrameQuestion'

/** The wallet's frame says what happened, and takes the press that removes the old wallet's share. */
export function EndedWallet() {
  const { forgetEndedWallet } = useActions()
  return <FrameQuestion ask={forgetEndedWallet} />
}
