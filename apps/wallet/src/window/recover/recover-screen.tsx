import { Button } from '@postern/ui/button'
import { CautionIcon } from '@postern/ui/icons'
import { Message, MessageGlyph } from '@postern/ui/message'
import { KeyIcon, ShieldIcon } from '@postern/ui/view-icons'
import { CodeStep } from '../code/code-step'
import { Question } from '../components/question'
import { Caption, Screen } from '../components/screen'
import { Stretching, Working } from '../components/waiting'
import type { FlowGiven } from '../flow'
import { useMachine } from '../machine'
import type { NewPasskey } from '../passkey'
import { useSay } from '../say-context'
import { MethodChoice } from './method-choice'
import { NewPassphraseStep } from './new-passphrase-step'
import { methodsOf, type RecoverActions, recoverFlow, wordsOf } from './recover'

export function RecoverScreen({ given }: { readonly given: FlowGiven }) {
  const say = useSay()
  const [state, actions] = useMachine(recoverFlow, given)
  const { context } = given.link
  switch (state.step) {
    case 'choice':
      return (
        <MethodChoice
          methods={methodsOf(given, wordsOf(given))}
          words={wordsOf(given)}
          current={wordsOf(given) === 'move' ? null : (context.recovery?.method ?? null)}
          chosen={state.chosen}
          complaint={state.complaint}
          onChoose={actions.choose}
          onContinue={() => actions.goOn(state.chosen)}
          onCancel={given.cancel}
        />
      )
    case 'passkey':
      return <PasskeyStep key={state.made === null ? 'create' : 'use'} {...state} actions={actions} />
    case 'passkeyRefused':
      return <PasskeyRefused onBack={actions.goBack} />
    case 'passphrase':
      return <NewPassphraseStep onSubmit={actions.takePassphrase} onBack={actions.goBack} />
    case 'stretching':
      return <Stretching title={say('stretching')} part={state.part} />
    case 'working':
      return <Working title={say(state.title)} />
    case 'moved':
      return <Moved onEnd={actions.endMove} />
    case 'code':
      return (
        <CodeStep
          state={state.code}
          actions={actions.code(state.recovery)}
          email={context.user?.email ?? ''}
          onCancel={actions.goBack}
        />
      )
  }
}

type PasskeyStepProps = {
  readonly made: NewPasskey | null
  readonly isBusy: boolean
  readonly actions: RecoverActions
}

function PasskeyStep({ made, isBusy, actions }: PasskeyStepProps) {
  const say = useSay()
  const words = made === null ? 'passkey' : 'passkey.again'
  return (
    <Question
      title={say(`${words}.title`)}
      text={say(`${words}.text`)}
      icon={KeyIcon}
      no="back"
      onNo={() => actions.leavePasskey(made)}
      yes={say(`${words}.button`)}
      onYes={() => (made === null ? actions.createPasskey() : actions.confirmPasskey(made))}
      busy={isBusy}
    >
      <Caption>{say('recovery.passkey.against')}</Caption>
    </Question>
  )
}

function Moved({ onEnd }: { readonly onEnd: () => void }) {
  const say = useSay()
  return (
    <Screen title={say('recovery.done')}>
      <Message
        picture={
          <MessageGlyph>
            <ShieldIcon />
          </MessageGlyph>
        }
        title={say('moved.title')}
        text={say('moved.text')}
      />
      <Caption>{say('moved.copies')}</Caption>
      <Button tone="primary" onPress={onEnd}>
        {say('done')}
      </Button>
    </Screen>
  )
}

function PasskeyRefused({ onBack }: { readonly onBack: () => void }) {
  const say = useSay()
  return (
    <Screen title={say('passkey.noPrf.title')}>
      <Message
        picture={
          <MessageGlyph tone="warn">
            <CautionIcon />
          </MessageGlyph>
        }
        text={say('passkey.noPrf.text')}
      />
      <Button tone="primary" onPress={onBack}>
        {say('back')}
      </Button>
    </Screen>
  )
}
