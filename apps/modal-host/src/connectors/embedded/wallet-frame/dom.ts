/** The parts of the modal's page that its hidden frame needs. Tests pass their own. */
export type WalletFrameDom = {
  /** Adds a hidden frame. `contentWindow` is read anew for each message: it is null once the frame is gone. */
  add(src: string): { readonly contentWindow: () => FrameTarget | null; remove(): void }
  /** Window messages, as the browser delivers them. */
  listen(listener: (event: WindowMessage) => void): () => void
}

export type FrameTarget = { postMessage(message: unknown, targetOrigin: string, transfer: Transferable[]): void }
export type WindowMessage = Pick<MessageEvent<unknown>, 'source' | 'origin' | 'data' | 'ports'>

/** The browser's own. */
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
      // Who embeds it is the gateway's to know; the address of the modal holds nothing else.
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
