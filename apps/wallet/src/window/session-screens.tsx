import { Button, ButtonPair } from '@postern/ui/button'
import { HeroTile } from '@postern/ui/hero-tile'
import { CautionIcon } from '@postern/ui/icons'
import { Message, MessageGlyph } from '@postern/ui/message'
import { ProgressPicture } from '@postern/ui/progress'
import { KeyIcon } from '@postern/ui/view-icons'
import type { ReactNode } from 'react'
import { Screen } from './components/screen'
import { Working } from './components/waiting'
import { useSay } from './say-context'
import type { SessionActions, SessionState } from './session'

type SessionScreenProps = {
  readonly state: Exclude<SessionState, { step: 'open' }>
  readonly actions: SessionActions
}

export function SessionScreen({ state, actions }: SessionScreenProps) {
  const say = useSay()
  switch (state.step) {
    case 'looking':
      return <Working title={say('waiting.title')} text={say('waiting.text')} />
    case 'ended':
      return (
        <Trouble title={say(`${state.how}.title`)} text={say(`${state.how}.text`)}>
          <CloseButton onClose={() => actions.leave(null)} />
        </Trouble>
      )
    case 'failed':
      return (
        <Trouble title={state.title} text={state.text}>
          <ButtonPair>
            <CloseButton onClose={() => actions.leave(state.link)} />
            <Button tone="primary" onPress={actions.retry}>
              {say('tryAgain')}
            </Button>
          </ButtonPair>
        </Trouble>
      )
    case 'done':
      return (
        <Screen title={say('done')}>
          <Message
            picture={
              <ProgressPicture progress="done">
                <HeroTile>
                  <KeyIcon />
                </HeroTile>
              </ProgressPicture>
            }
            title={state.sentence}
            heading
            text={say('doneHint')}
          />
          <CloseButton onClose={() => actions.leave(null)} />
        </Screen>
      )
  }
}

function CloseButton({ onClose }: { readonly onClose: () => void }) {
  const say = useSay()
  return (
    <Button tone="secondary" onPress={onClose}>
      {say('close')}
    </Button>
  )
}

type TroubleProps = { readonly title: string; readonly text: string; readonly children: ReactNode }

function Trouble({ title, text, children }: TroubleProps) {
  return (
    <Screen title={title}>
      <Message
        picture={
          <MessageGlyph tone="warn">
            <CautionIcon />
          </MessageGlyph>
        }
        text={text}
      />
      {children}
    </Screen>
  )
}
