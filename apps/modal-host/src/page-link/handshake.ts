import {
  Hello,
  isOriginAllowed,
  knock,
  type LinkError,
  linkVersion,
  oldestLinkVersion,
  type ProjectPage,
  type Refusal,
  type Welcome,
} from '@postern/protocol'
import { Failure, toLinkError } from '@postern/protocol/failure'
import * as z from 'zod/mini'

/** The parts of `window` that the handshake uses. */
export type FrameWindow = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void }
}

export type Accepted = { readonly port: MessagePort; readonly origin: string; readonly sdk: string }

export type HandshakeOptions = {
  readonly window: FrameWindow
  readonly project: Pick<ProjectPage, 'allowedOrigins' | 'defaultAncestors'>
  /** Sent in `welcome`. */
  readonly hostVersion: string
  readonly onAccepted: (accepted: Accepted) => void
}

/** Every SDK version sends these; a newer one may send more. */
const AnyHello = z.object({ type: Hello.shape.type, v: Hello.shape.v, min: Hello.shape.min })

/**
 * Accepts the one page that embeds this frame. Returns a function that stops listening.
 *
 * 1. The knock is the only message sent to `'*'`. It is empty.
 * 2. A message is accepted only if its source is `window.parent`. Any other gets no response, its ports are closed, and
 *    the slot stays free: a sibling, a child or an opener cannot use up the handshake.
 * 3. The origin is the browser's (`event.origin`), never one that the message or the URL claims. It must be exactly on
 *    the project's allowlist; otherwise the port gets a refusal that names the origin, and is closed.
 * 4. Both sides use the newest common version. Without one the refusal is VERSION_MISMATCH.
 * 5. A hello that does not parse or does not carry exactly one port is refused; any other message is ignored.
 * 6. A refusal leaves the slot free. The first valid hello takes it; later window messages are ignored.
 * 7. A page that is not framed never knocks and never accepts.
 */
export function acceptHandshake({ window, project, hostVersion, onAccepted }: HandshakeOptions): () => void {
  const parent = window.parent
  if (Object.is(parent, window)) return () => {}

  const onMessage = (event: MessageEvent<unknown>) => {
    const ports = event.ports
    if (event.source !== parent) return closeAll(ports)
    if (!isHello(event.data)) return
    const [port, ...others] = ports
    if (port === undefined) return
    const verdict = judge(event, others.length)
    if (verdict.kind === 'refused') {
      port.postMessage({ kind: 'refused', error: verdict.error, origin: event.origin } satisfies Refusal)
      return closeAll(ports)
    }
    stop()
    port.postMessage({ kind: 'welcome', v: verdict.version, host: hostVersion } satisfies Welcome)
    onAccepted({ port, origin: event.origin, sdk: verdict.sdk })
  }

  function judge(
    event: MessageEvent<unknown>,
    surplusPorts: number,
  ): { kind: 'accepted'; version: number; sdk: string } | { kind: 'refused'; error: LinkError } {
    const { allowedOrigins, defaultAncestors } = project
    if (!isOriginAllowed(event.origin, allowedOrigins, { defaultAncestors })) return refused('ORIGIN_NOT_ALLOWED')
    const offer = AnyHello.safeParse(event.data)
    if (!offer.success || surplusPorts > 0) return refused('INVALID_REQUEST')
    const version = Math.min(offer.data.v, linkVersion)
    if (version < offer.data.min || version < oldestLinkVersion) return refused('VERSION_MISMATCH')
    const hello = Hello.safeParse(event.data)
    // A newer SDK may add fields; one with our exact version may not.
    if (!hello.success && offer.data.v <= linkVersion) return refused('INVALID_REQUEST')
    return { kind: 'accepted', version, sdk: hello.success ? hello.data.sdk : '' }
  }

  function stop(): void {
    window.removeEventListener('message', onMessage)
  }

  window.addEventListener('message', onMessage)
  // Why '*': the parent's origin is only known from its response, which is then checked. The knock is a constant
  // without a port, so a receiver only learns that this frame exists (docs/reference/page-link.md).
  parent.postMessage(knock, '*')
  return stop
}

function refused(code: 'ORIGIN_NOT_ALLOWED' | 'INVALID_REQUEST' | 'VERSION_MISMATCH') {
  return { kind: 'refused', error: toLinkError(new Failure(code)) } as const
}

function isHello(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'postern:hello'
}

function closeAll(ports: readonly MessagePort[]): void {
  for (const port of ports) port.close()
}
