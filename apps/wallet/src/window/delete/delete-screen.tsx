import { signInProviderNames, type WalletApiUser } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { CautionIcon } from '@postern/ui/icons'
import { Message, MessageGlyph } from '@postern/ui/message'
import { useState } from 'react'
import { CodeStep } from '../code/code-step'
import { ArmedButton } from '../components/armed-button'
import { Rules } from '../components/rules'
import { Caption, Screen } from '../components/screen'
import { Working } from '../components/waiting'
import type { FlowGiven } from '../flow'
import { useMachine } from '../machine'
import type { Say } from '../say'
import { useSay } from '../say-context'
import { type Deletion, deleteFlows } from './delete'
import { PhraseField } from './phrase-field'

type DeleteScreenProps = { readonly deletion: Deletion; readonly given: FlowGiven }

export function DeleteScreen({ deletion, given }: DeleteScreenProps) {
  const say = useSay()
  const [state, actions] = useMachine(deleteFlows[deletion], given)
  const { addresses, user } = given.link.context
  switch (state.step) {
    case 'warning':
      return (
        <Screen title={say(`${deletion}.title`)}>
          <Message
            picture={
              <MessageGlyph tone="warn">
                <CautionIcon />
              </MessageGlyph>
            }
            title={say('delete.warning')}
            heading
          />
          {addresses !== null && <Caption>{addresses.eip155}</Caption>}
          <Rules sentences={lossesOf(deletion, user, say)} />
          <ButtonPair>
            <Button tone="secondary" onPress={given.cancel}>
              {say('cancel')}
            </Button>
            <ArmedButton tone="bad" onPress={actions.agree}>
              {say(`${deletion}.button`)}
            </ArmedButton>
          </ButtonPair>
        </Screen>
      )
    case 'working':
      return <Working title={say(state.title)} />
    case 'code':
      return <CodeStep state={state.code} actions={actions.code} email={user?.email ?? ''} onCancel={given.cancel} />
    case 'phrase':
      return <PhraseStep onConfirm={actions.confirm} onCancel={given.cancel} />
  }
}

type PhraseStepProps = { readonly onConfirm: () => void; readonly onCancel: () => void }

function PhraseStep({ onConfirm, onCancel }: PhraseStepProps) {
  const say = useSay()
  const [matches, setMatches] = useState(false)
  const phrase = say('deleteAccount.phrase')
  return (
    <Screen title={say('deleteAccount.title')}>
      <PhraseField label={say('deleteAccount.typePhrase', { phrase })} phrase={phrase} onMatch={setMatches} />
      <ButtonPair>
        <Button tone="secondary" onPress={onCancel}>
          {say('cancel')}
        </Button>
        <ArmedButton tone="bad" ready={matches} onPress={onConfirm}>
          {say('deleteAccount.button')}
        </ArmedButton>
      </ButtonPair>
    </Screen>
  )
}

function lossesOf(deletion: Deletion, user: WalletApiUser | null, say: Say): readonly string[] {
  switch (deletion) {
    case 'deleteAccount':
      return [
        say('deleteAccount.rule.keys', { name: user === null ? '' : nameOf(user) }),
        say('deleteAccount.rule.assets'),
        say('deleteAccount.rule.export'),
      ]
    case 'deletePrevious':
      return [say('deletePrevious.rule.left'), say('deletePrevious.rule.everywhere'), say('deletePrevious.rule.stays')]
  }
}

function nameOf({ email, userName, provider }: WalletApiUser): string {
  return email ?? userName ?? (provider === 'email' ? '' : signInProviderNames[provider])
}
