import { WalletHello, walletKnock } from '@postern/protocol'

export type FrameWindow = {
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void }
}

export type LinkOptions = {
  readonly window: FrameWindow
  readonly modalOrigin: string
  readonly onConnected: (port: MessagePort) => void
}

/**
 * Connects to the modal that embeds this frame. Returns a function that stops listening.
 *
 * 1. The knock goes to the parent at the modal's origin only, and says only that the frame exists.
 * 2. A hello is accepted only from `window.parent` and, as the browser reports it, the modal's origin. Any other gets
 *    no response, its ports are closed, and the slot stays free: a child, a sibling, an opener or the dapp's page
 *    cannot use it up.
 * 3. It must parse and carry exactly one port. Otherwise its ports are closed and the slot stays free.
 * 4. The first valid hello takes the slot. Later window messages are ignored.
 * 5. A page that is not framed never knocks and never accepts.
 */
export function connectToModal({ window, modalOrigin, onConnected }: LinkOptions): () => void {
  const parent = window.parent
  if (Object.is(parent, window)) return () => {}

  const onMessage = (event: MessageEvent<unknown>) => {
    if (!isHello(event.data)) return
    const [port, ...surplus] = event.ports
    const isModal = event.source === parent && event.origin === modalOrigin
    if (!isModal || port === undefined || surplus.length > 0 || !WalletHello.safeParse(event.data).success) {
      for (const stray of event.ports) stray.close()
      return
    }
    stop()
    onConnected(port)
  }
  const stop = () => window.removeEventListener('message', onMessage)

  window.addEventListener('message', onMessage)
  parent.postMessage(walletKnock, modalOrigin)
  return stop
}

function isHello(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'postern:wallet-hello'
}
