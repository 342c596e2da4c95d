import { CautionIcon } from './icons'
import { Message, MessageGlyph } from './message'

/** The face of trouble: what did not go well, and that it can be mended. Apart from `Message`, which the first file has: not a name more there. */
export function TroubleMessage({ title, text }: { readonly title: string; readonly text: string }) {
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
