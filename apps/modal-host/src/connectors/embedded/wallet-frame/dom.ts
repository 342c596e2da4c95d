import { type FramePlace, walletFrameId } from '../../../snapshot/frame-place'

export type WalletFrameDom = {
  /** Call `contentWindow` per message: null once the frame is gone. */
  add(src: string): {
    readonly contentWindow: () => FrameTarget | null
    /** Null hides the frame. Moving it in the document would reload it. */
    place(place: FramePlace | null): void
    focus(): void
    remove(): void
  }
  listen(listener: (event: WindowMessage) => void): () => void
}

export type FrameTarget = { postMessage(message: unknown, targetOrigin: string, transfer: Transferable[]): void }
export type WindowMessage = Pick<MessageEvent<unknown>, 'source' | 'origin' | 'data' | 'ports'>

export function browserFrameDom(window: Window): WalletFrameDom {
  const { document } = window
  return {
    add(src) {
      const iframe = document.createElement('iframe')
      iframe.src = src
      iframe.id = walletFrameId
      iframe.title = 'Wallet'
      // Focus enters by a button in the dialog (`WalletFramePlace`).
      iframe.tabIndex = -1
      Object.assign(iframe.style, base, hidden)
      // The gateway needs the embedding origin; the modal's URL has nothing else.
      iframe.referrerPolicy = 'origin'
      const { origin } = new URL(src)
      iframe.allow = `storage-access ${origin}; clipboard-write ${origin}`
      document.body.append(iframe)
      const focus = () => {
        // Else the frame may count as focused while the modal's document has the focus.
        iframe.blur()
        iframe.focus({ preventScroll: true })
        // In WebKit, keys still go to the modal's document.
        iframe.contentWindow?.focus()
      }
      // A press on a frame that has just appeared reaches the modal, and takes the focus from the wallet.
      iframe.addEventListener('pointerdown', () => setTimeout(focus))
      return {
        contentWindow: () => iframe.contentWindow,
        place: (place) => void Object.assign(iframe.style, place === null ? hidden : stylesOf(place)),
        focus,
        remove: () => iframe.remove(),
      }
    },
    listen(listener) {
      window.addEventListener('message', listener)
      return () => window.removeEventListener('message', listener)
    },
  }
}

const base = { position: 'fixed', border: '0', margin: '0' }
/** Not `display: none`: drawing needs a laid-out frame. A hidden frame arms nothing. */
const hidden = { visibility: 'hidden', width: '0px', height: '0px', left: '0px', top: '0px' }

function stylesOf({ left, top, width, height, radius, isVisible }: FramePlace) {
  return {
    visibility: isVisible ? 'visible' : 'hidden',
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    borderRadius: radius,
  }
}
