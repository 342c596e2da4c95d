import { AttemptMessage } from '../../view-kit/attempt/AttemptMessage'
import { AttemptSection } from '../../view-kit/attempt/AttemptSection'
import { useShownAttempt } from '../../view-kit/attempt/use-attempt'
import { ChooseChain } from './ChooseChain'

/** With several namespaces it asks for the chain first. */
export default function ConnectingExternal() {
  const attempt = useShownAttempt()
  if (attempt === null) return null
  const { row, status } = attempt
  return (
    <AttemptSection status={status}>
      {status.kind === 'choosing' ? <ChooseChain row={row} /> : <AttemptMessage attempt={{ ...attempt, status }} />}
    </AttemptSection>
  )
}
