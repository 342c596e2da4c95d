import { useActions } from '../host-context'
import { FrameQuestion } from './FrameQuestion'

/** The wallet's frame says what happened to the old wallet, and takes the press that removes its share. */
export function EndedWallet() {
  const { forgetEndedWallet } = useActions()
  return <FrameQuestion ask={forgetEndedWallet} />
}
