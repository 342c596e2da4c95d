import { AttemptMessage } from '../attempt/AttemptMessage'
import { useShownAttempt } from '../attempt/use-attempt'
import { ChooseChain } from './ChooseChain'

/** One wallet of the page being connected; one that serves several namespaces asks for which first. */
export default function ConnectingExternal() {
  const attempt = useShownAttempt()
  if (attempt === null) return null
  const { status } = attempt
  return status.kind === 'choosing' ? (
    <ChooseChain row={attempt.row} />
  ) : (
    <AttemptMessage attempt={{ ...attempt, status }} />
  )
}
