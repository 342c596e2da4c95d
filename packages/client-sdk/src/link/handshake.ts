import { PosternError } from '../shared/errors'
import { requestFailure } from '../shared/failures'
import { isRefusal, isWelcome } from './guards'

/** `handshake.test.ts` compares these with the protocol. */
export const linkVersion = 1
export const minLinkVersion = 1
export const knock = 'postern:ready'

export type HandshakeOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly iframe: {
    readonly contentWindow: { postMessage(message: unknown, origin: string, transfer: Transferable[]): void } | null
  }
  readonly origin: string
  readonly sdk: string
  readonly onKnock: () => void
  readonly onWelcome: (port: MessagePort) => void
  /** `origin`: of the page, as the host saw it. */
  readonly onRefused: (error: PosternError, origin?: string) => void
}

/**
 * Answers the frame's handshake (docs/reference/page-link.md). Returns a stop function.
 *
 * 1. Accept a message only if its source is the iframe's window *and* its origin is the configured host.
 * 2. Accept only the knock. Answer with a hello, to that origin only, that transfers one end of a new channel.
 * 3. A later knock means that the frame has reloaded: close the unfinished handshake's port.
 * 4. The first message on the port must be a welcome with a supported version, or a refusal. Anything else is
 *    VERSION_MISMATCH.
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
      if (isWelcome(data) && data.v >= minLinkVersion && data.v <= linkVersion) return options.onWelcome(port1)
      port1.close()
      if (isRefusal(data)) options.onRefused(new PosternError(data.error), data.origin)
      else options.onRefused(requestFailure('VERSION_MISMATCH'))
    }
    frame.postMessage({ type: 'postern:hello', v: linkVersion, min: minLinkVersion, sdk: options.sdk }, origin, [port2])
  }

  window.addEventListener('message', onMessage)
  return () => {
    window.removeEventListener('message', onMessage)
    unfinished?.close()
  }
}
