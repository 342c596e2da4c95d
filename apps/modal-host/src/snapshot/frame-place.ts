/** Id of the wallet's iframe, which the dialog owns for assistive technology. */
export const walletFrameId = 'postern-wallet-frame'

/** Attribute of a message at the end of the card, above which the wallet's frame ends. */
export const messageMark = 'data-message'

/** Where the wallet's frame lies in the modal's viewport, in CSS px. `radius`: a CSS border radius. */
export type FramePlace = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly radius: string
  /** False while it is laid out and measured, before it is shown. */
  readonly isVisible: boolean
}
