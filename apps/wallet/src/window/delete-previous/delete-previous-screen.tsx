import { Button, ButtonPair } from '@postern/ui/button'
import { CautionIcon } from '@postern/ui/icons'
import { Message, MessageGlyph } from '@postern/ui/message'
import { CodeStep } from '../code/code-step'
import { ArmedButton } from '../components/armed-button'
import { Rules } from '../components/rules'
import { Caption, Screen } from '../components/screen'
import { Working } from '../components/waiting'
import type { FlowGiven } from '../flow'
import { useMachine } from '../machine'
import { useSay } from '../say-context'
import { deletePreviousFlow } from './delete-previous'

/** Deletes the previous wallet, after a warning and a fresh code. */
export function DeletePreviousScreen({ given }: { readonly given: FlowGiven }) {
  const say = useSay()
  const [state, actions] = useMachine(deletePreviousFlow, given)
  const { addresses, user } = given.link.context
  switch (state.step) {
    case 'warning':
      return (
        <Screen title={say('deletePrevious.title')}>
          <Message
            picture={
              <MessageGlyph tone="warn">
                <CautionIcon />
              </MessageGlyph>
            }
            title={say('deletePrevious.warning')}
            heading
          />
          {addresses !== null && <Caption>{addresses.eip155}</Caption>}
          <Rules
            sentences={[
              say('deletePrevious.rule.left'),
              say('deletePrevious.rule.everywhere'),
              say('deletePrevious.rule.stays'),
            ]}
          />
          <ButtonPair>
            <Button tone="secondary" onPress={given.cancel}>
              {say('cancel')}
            </Button>
            <ArmedButton tone="bad" onPress={actions.agree}>
              {say('deletePrevious.button')}
            </ArmedButton>
          </ButtonPair>
        </Screen>
      )
    case 'working':
      return <Working title={say(state.title)} />
    case 'code':
      return <CodeStep state={state.code} actions={actions.code} email={user?.email ?? ''} onCancel={given.cancel} />
  }
}
