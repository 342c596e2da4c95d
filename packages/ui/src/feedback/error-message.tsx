import { CautionIcon } from '../marks/icons'
import { Message, MessageGlyph } from './message'

/** Separate from `Message`, to stay out of the first paint. */
export function ErrorMessage({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Message
      picture={
        <MessageGlyph tone="bad">
          <CautionIcon />
        </MessageGlyph>
      }
      title={title}
      text={text}
      live
    />
  )
}
