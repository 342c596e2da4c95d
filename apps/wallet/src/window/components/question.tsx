import { Button, ButtonPair } from '@postern/ui/button'
import type { Icon } from '@postern/ui/icons'
import { Message, MessageGlyph } from '@postern/ui/message'
import { createContext, type ReactNode, useContext } from 'react'
import type { WatchArming } from '../../approval/arming'
import { useArming } from '../../approval/use-arming'
import { useSay } from '../say-context'
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
  /** Between the text and the buttons. */
  readonly children?: ReactNode
}

/** Decides when a press on the answer yes counts. */
export const WatchContext = createContext<WatchArming>(() => () => undefined)

/** A picture, a sentence, and two answers to it. Yes arms first: a double click that opened the window must not press it. */
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
  const { armed, wrapper } = useArming(useContext(WatchContext))
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
        <div {...wrapper}>
          <Button tone="primary" disabled={!armed} busy={busy} onPress={onYes}>
            {yes}
          </Button>
        </div>
      </ButtonPair>
    </Screen>
  )
}
