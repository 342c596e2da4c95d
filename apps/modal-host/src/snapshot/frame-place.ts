/** Id of the wallet's iframe, which the dialog owns for assistive technology. */
export const walletFrameId = 'postern-wallet-frame'

/** Marks a message at the end of the card: the wallet's frame ends above it. */
export const messageMark = 'data-message'

/** Where the wallet's frame lies in the modal's viewport, in CSS px. `radius`: a CSS border radius. */
export type FramePlace = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly radius: string
  /** False while the frame is laid out and measured. */
  readonly isVisible: boolean
}
