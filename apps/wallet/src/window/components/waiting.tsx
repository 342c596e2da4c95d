import { Message, MessageGlyph } from '@postern/ui/message'
import { Spinner } from '@postern/ui/spinner'
import { useSay } from '../say-context'
import { Lead, Screen } from './screen'
import styles from './waiting.module.css'

type WorkingProps = { readonly title: string; readonly text?: string }

export function Working({ title, text }: WorkingProps) {
  const say = useSay()
  return (
    <Screen title={title}>
      <Message
        picture={
          <div role="progressbar" aria-label={say('working')}>
            <MessageGlyph>
              <Spinner />
            </MessageGlyph>
          </div>
        }
        text={text}
      />
    </Screen>
  )
}

/** `part`: 0 to 1. */
export function Stretching({ title, part }: { readonly title: string; readonly part: number }) {
  const say = useSay()
  return (
    <Screen title={title}>
      <progress className={styles.bar} max="1" value={part} aria-label={title} />
      <Lead>{say('stretching.text')}</Lead>
    </Screen>
  )
}
