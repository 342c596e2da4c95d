import { dateText } from '@postern/chains/amount-text'
import { Button } from '@postern/ui/button'
import { Message, MessageGlyph } from '@postern/ui/message'
import { CheckIcon } from '@postern/ui/view-icons'
import { CodeStep } from '../code/code-step'
import { Rules } from '../components/rules'
import { Caption, Screen } from '../components/screen'
import { Working } from '../components/waiting'
import type { FlowGiven } from '../flow'
import { useMachine } from '../machine'
import { useSay } from '../say-context'
import { type Changed, emailFlow } from './email'

export function EmailScreen({ given }: { readonly given: FlowGiven }) {
  const say = useSay()
  const [state, actions] = useMachine(emailFlow, given)
  switch (state.step) {
    case 'working':
      return <Working title={say('email.title')} />
    case 'code': {
      const { step, email, newEmail } = state.change
      const isFirst = step === 'primary'
      return (
        <CodeStep
          key={step}
          title={say('email.title')}
          state={state.code}
          actions={actions.code}
          email={isFirst ? email : newEmail}
          onCancel={given.cancel}
        >
          <Caption>{say('email.step', { step: isFirst ? 1 : 2 })}</Caption>
          <Caption>{say('email.to', { email: newEmail })}</Caption>
        </CodeStep>
      )
    }
    case 'changed':
      return <ChangedScreen changed={state.changed} onDone={actions.done} />
  }
}

function ChangedScreen({ changed, onDone }: { readonly changed: Changed; readonly onDone: () => void }) {
  const say = useSay()
  const { newEmail, until, end, isProven } = changed
  const locale = `${document.documentElement.lang || 'en'}-u-nu-latn`
  const dates = { until: dateText(until / 1_000, locale) ?? '', end: dateText(end / 1_000, locale) ?? '' }
  return (
    <Screen title={say('email.changed')}>
      <Message
        picture={
          <MessageGlyph>
            <CheckIcon />
          </MessageGlyph>
        }
        title={newEmail}
        heading
      />
      <Rules
        sentences={
          isProven ? [say('email.undo.proven', dates), say('email.undo.back')] : [say('email.undo.alone', dates)]
        }
      />
      <Button tone="primary" onPress={onDone}>
        {say('done')}
      </Button>
    </Screen>
  )
}
