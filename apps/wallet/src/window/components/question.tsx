import { Button, ButtonPair } from '@postern/ui/button'
import type { Icon } from '@postern/ui/icons'
import { Message, MessageGlyph } from '@postern/ui/message'
import type { ReactNode } from 'react'
import { useSay } from '../say-context'
import { ArmedButton } from './armed-button'
import { Screen } from './screen'

type QuestionProps = {
  readonly title: string
  readonly text: string
  readonly icon: Icon
  readonly no: 'cancel' | 'back'
  readonly onNo: () => void
  readonly yes: string
  readonly onYes: () => void
  readonly busy?: boolean
  readonly children?: ReactNode
}

export function Question({
  title,
  text,
  icon: QuestionIcon,
  no,
  onNo,
  yes,
  onYes,
  busy = false,
  children,
}: QuestionProps) {
  const say = useSay()
  return (
    <Screen title={title}>
      <Message
        picture={
          <MessageGlyph>
            <QuestionIcon />
          </MessageGlyph>
        }
        text={text}
      />
      {children}
      <ButtonPair>
        <Button tone="secondary" disabled={busy} onPress={onNo}>
          {say(no)}
        </Button>
        <ArmedButton busy={busy} onPress={onYes}>
          {yes}
        </ArmedButton>
      </ButtonPair>
    </Screen>
  )
}
