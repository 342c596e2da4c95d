/** The DOM access of the hidden frame, replaceable in tests. */
export type WalletFrameDom = {
  /** Call `contentWindow` per message: it returns null once the frame is gone. */
  add(src: string): { readonly contentWindow: () => FrameTarget | null; remove(): void }
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
      iframe.hidden = true
      iframe.title = 'Wallet'
      iframe.ariaHidden = 'true'
      iframe.tabIndex = -1
      // The gateway needs the embedding origin; the modal's URL contains nothing else.
      iframe.referrerPolicy = 'origin'
      iframe.allow = `storage-access ${new URL(src).origin}`
      document.body.append(iframe)
      return { contentWindow: () => iframe.contentWindow, remove: () => iframe.remove() }
    },
    listen(listener) {
      window.addEventListener('message', listener)
      return () => window.removeEventListener('message', listener)
    },
  }
}
