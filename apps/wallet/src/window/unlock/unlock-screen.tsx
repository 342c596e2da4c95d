import { Button, ButtonPair, SubmitButton } from '@postern/ui/button'
import { Message, MessageGlyph } from '@postern/ui/message'
import { KeyIcon } from '@postern/ui/view-icons'
import { useRef, useState } from 'react'
import { Complaint } from '../components/complaint'
import { PassphraseField } from '../components/passphrase-field'
import { Question } from '../components/question'
import { Form, Screen } from '../components/screen'
import { Stretching, Working } from '../components/waiting'
import type { FlowGiven } from '../flow'
import { useMachine } from '../machine'
import { useSay } from '../say-context'
import { unlockFlow } from './unlock'

export function UnlockScreen({ given }: { readonly given: FlowGiven }) {
  const say = useSay()
  const [state, actions] = useMachine(unlockFlow, given)
  switch (state.step) {
    case 'working':
      return <Working title={say('unlock.title')} />
    case 'passkey':
      return (
        <Question
          title={say('unlock.title')}
          text={say('unlock.passkey.text')}
          icon={KeyIcon}
          no="cancel"
          onNo={given.cancel}
          yes={say('unlock.passkey.button')}
          onYes={() => actions.unlockByPasskey(state.recovery)}
          busy={state.isBusy}
        >
          <Complaint centred>{state.complaint}</Complaint>
        </Question>
      )
    case 'passphrase':
      return (
        <PassphraseStep
          complaint={state.complaint}
          onSubmit={(passphrase) => actions.unlockByPassphrase(state.recovery, passphrase)}
          onCancel={given.cancel}
        />
      )
    case 'stretching':
      return <Stretching title={say('unlock.title')} part={state.part} />
  }
}

type PassphraseStepProps = {
  readonly complaint: string
  readonly onSubmit: (passphrase: string) => void
  readonly onCancel: () => void
}

function PassphraseStep({ complaint, onSubmit, onCancel }: PassphraseStepProps) {
  const say = useSay()
  const input = useRef<HTMLInputElement>(null)
  const [isEdited, setEdited] = useState(false)
  const submit = () => {
    const passphrase = input.current?.value ?? ''
    if (passphrase !== '') onSubmit(passphrase)
  }
  return (
    <Screen title={say('unlock.title')}>
      <Message
        picture={
          <MessageGlyph>
            <KeyIcon />
          </MessageGlyph>
        }
        text={say('unlock.passphrase.text')}
      />
      <Form onSubmit={submit}>
        <PassphraseField
          ref={input}
          label={say('passphrase.label')}
          autoComplete="current-password"
          complaint={isEdited ? '' : complaint}
          onEdit={() => setEdited(true)}
          isFirst
        />
        <ButtonPair>
          <Button tone="secondary" onPress={onCancel}>
            {say('cancel')}
          </Button>
          <SubmitButton>{say('unlock.button')}</SubmitButton>
        </ButtonPair>
      </Form>
    </Screen>
  )
}
