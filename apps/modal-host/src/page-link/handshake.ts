import { acceptParent, type FramedWindow, type HelloVerdict } from '@postern/link/handshake'
import {
  Hello,
  isOriginAllowed,
  knock,
  linkVersion,
  oldestLinkVersion,
  type ProjectPage,
  type Refusal,
  tryParse,
  type Welcome,
} from '@postern/protocol'
import { refusalFixes } from '@postern/protocol/errors/refusal-fixes'
import { Failure, toLinkError } from '@postern/protocol/failure'
import * as z from 'zod/mini'

export type FrameWindow = Pick<Window, 'addEventListener' | 'removeEventListener'> & Pick<FramedWindow, 'parent'>

export type Accepted = { readonly port: MessagePort; readonly origin: string; readonly sdk: string }

export type HandshakeOptions = {
  readonly window: FrameWindow
  readonly project: Pick<ProjectPage, 'allowedOrigins' | 'defaultAncestors'>
  readonly hostVersion: string
  readonly onAccepted: (accepted: Accepted) => void
}

type Offer = { readonly version: number; readonly origin: string; readonly sdk: string }

/** Every SDK version sends these; a newer one may send more. */
const AnyHello = z.object({ type: Hello.shape.type, v: Hello.shape.v, min: Hello.shape.min })

/**
 * Accepts the one page that embeds this frame, by the rules of `acceptParent`. Returns its unsubscribe.
 *
 * 1. The knock is the only message sent to `'*'`. It is empty.
 * 2. A message is accepted only if its source is `window.parent`.
 * 3. The origin is the browser's (`event.origin`), never one that the message or the URL claims. It must be exactly on
 *    the project's allowlist; otherwise the port gets a refusal that names the origin, and is closed.
 * 4. Both sides use the newest common version; without one the refusal is VERSION_MISMATCH.
 * 5. A hello that does not parse or carry exactly one port is refused; any other message is ignored.
 * 6. A refusal leaves the slot free for the first valid hello; later window messages are ignored.
 * 7. A page that is not framed never knocks and never accepts.
 */
export function acceptHandshake({ window, project, hostVersion, onAccepted }: HandshakeOptions): () => void {
  const { allowedOrigins, defaultAncestors } = project

  function checkHello({ data, origin, ports }: MessageEvent<unknown>): HelloVerdict<Offer> {
    if (!isHello(data)) return { kind: 'ignored' }
    if (!isOriginAllowed(origin, allowedOrigins, { defaultAncestors })) return refused('ORIGIN_NOT_ALLOWED', origin)
    const offer = tryParse(AnyHello, data)
    if (!offer.success || ports.length > 1) return refused('INVALID_REQUEST', origin)
    const version = Math.min(offer.data.v, linkVersion)
    if (version < offer.data.min || version < oldestLinkVersion) return refused('VERSION_MISMATCH', origin)
    const hello = tryParse(Hello, data)
    // A newer SDK may add fields; one with our exact version may not.
    if (!hello.success && offer.data.v <= linkVersion) return refused('INVALID_REQUEST', origin)
    return { kind: 'accepted', offer: { version, origin, sdk: hello.success ? hello.data.sdk : '' } }
  }

  return acceptParent({
    window,
    // Why '*': only the parent's response, which is then checked, shows its origin. A receiver of the knock only learns
    // that this frame exists (docs/reference/page-link.md).
    knock: { message: knock, targetOrigin: '*' },
    checkHello,
    onAccepted(port, { version, origin, sdk }) {
      port.postMessage({ kind: 'welcome', v: version, host: hostVersion } satisfies Welcome)
      onAccepted({ port, origin, sdk })
    },
  })
}

function refused(code: keyof typeof refusalFixes, origin: string): HelloVerdict<never> {
  const error = { ...toLinkError(new Failure(code)), fix: refusalFixes[code] }
  return { kind: 'refused', refusal: { kind: 'refused', error, origin } satisfies Refusal }
}

function isHello(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'postern:hello'
}
