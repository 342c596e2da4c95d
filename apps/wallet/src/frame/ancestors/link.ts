import { acceptParent, type FramedWindow } from '@postern/link/handshake'
import { WalletHello, walletKnock } from '@postern/protocol'

export type LinkOptions = {
  readonly window: FramedWindow
  readonly modalOrigin: string
  readonly onConnected: (port: MessagePort) => void
}

/**
 * Connects to the modal that embeds this frame, under the rules of `acceptParent`. Returns a function that stops
 * listening.
 *
 * 1. The knock goes to the parent, at the modal's origin only, and says only that the frame exists.
 * 2. A hello must come from `window.parent` and, as the browser reports it, the modal's origin. Any other hello is
 *    ignored, its ports are closed, and it does not use up the one accepted hello.
 * 3. A hello must parse and carry exactly one port. Otherwise its ports are closed, and another may follow.
 * 4. After the first valid hello, window messages are ignored.
 * 5. A page without a parent neither knocks nor accepts.
 */
export function connectToModal({ window, modalOrigin, onConnected }: LinkOptions): () => void {
  return acceptParent({
    window,
    knock: { message: walletKnock, targetOrigin: modalOrigin },
    checkHello({ data, origin }) {
      if (!isHello(data)) return { kind: 'ignored' }
      const isModal = origin === modalOrigin && WalletHello.safeParse(data).success
      return isModal ? { kind: 'accepted', offer: null } : { kind: 'refused' }
    },
    onAccepted: onConnected,
  })
}

function isHello(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'postern:wallet-hello'
}
