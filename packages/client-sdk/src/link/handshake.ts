import { PosternError } from '../errors'
import { modalFailure } from '../modal/failures'
import { isRefusal, isWelcome } from './guards'

/** Held equal to the protocol's by `handshake.test.ts`. */
export const linkVersion = 1
export const oldestLinkVersion = 1
export const knock = 'postern:ready'

export type HandshakeOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  /** The one frame that is listened to. */
  readonly iframe: {
    readonly contentWindow: { postMessage(message: unknown, origin: string, transfer: Transferable[]): void } | null
  }
  /** Origin of the modal host. */
  readonly origin: string
  readonly sdk: string
  /** The host knocked: it is there. */
  readonly onKnock: () => void
  readonly onWelcome: (port: MessagePort) => void
  /** `origin` is the page's as the browser reported it to the host. */
  readonly onRefused: (error: PosternError, origin?: string) => void
}

/**
 * The page's side of the handshake (docs/reference/page-link.md).
 *
 * 1. Only messages whose source is the own iframe's window *and* whose origin is the configured host count; all others are ignored.
 * 2. The one message that counts is the knock. It is answered with a hello, at that origin only, that moves one end of a new channel.
 * 3. A later knock is a reloaded frame: it begins a new handshake, and the port of the unfinished one is closed.
 * 4. The first message on the port is a welcome with a version that this build speaks, or a refusal. Anything else is VERSION_MISMATCH.
 *
 * Returns what ends the listening.
 */
export function answerKnocks(options: HandshakeOptions): () => void {
  const { window, iframe, origin } = options
  let unfinished: MessagePort | undefined

  function onMessage(event: MessageEvent<unknown>): void {
    const frame = iframe.contentWindow
    if (frame === null || event.source !== frame || event.origin !== origin || event.data !== knock) return
    options.onKnock()
    unfinished?.close()
    const { port1, port2 } = new MessageChannel()
    unfinished = port1
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      port1.onmessage = null
      unfinished = undefined
      if (isWelcome(data) && data.v >= oldestLinkVersion && data.v <= linkVersion) return options.onWelcome(port1)
      port1.close()
      if (isRefusal(data)) options.onRefused(new PosternError(data.error), data.origin)
      else options.onRefused(modalFailure('VERSION_MISMATCH'))
    }
    frame.postMessage({ type: 'postern:hello', v: linkVersion, min: oldestLinkVersion, sdk: options.sdk }, origin, [
      port2,
    ])
  }

  window.addEventListener('message', onMessage)
  return () => {
    window.removeEventListener('message', onMessage)
    unfinished?.close()
  }
}
