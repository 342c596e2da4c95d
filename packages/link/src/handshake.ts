/** The part of `window` that receives hellos. */
export type HelloWindow = {
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
}

export type FramedWindow = HelloWindow & {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void }
}

/** `refusal` is posted on the first port. */
export type HelloVerdict<Offer> =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly refusal?: unknown }
  | { readonly kind: 'accepted'; readonly offer: Offer }

export type HelloOptions<Offer> = {
  readonly window: HelloWindow
  /** Checks `event.source` and `event.origin`, which the browser sets, before the data. */
  readonly checkHello: (event: MessageEvent<unknown>) => HelloVerdict<Offer>
  readonly onAccepted: (port: MessagePort, offer: Offer) => void
}

/**
 * Accepts hellos, each with one port. Returns a function that stops listening.
 *
 * 1. Only a hello that `checkHello` accepts and that has exactly one port is accepted.
 * 2. Any other hello leaves no port open. An ignored message is not touched.
 */
export function acceptHellos<Offer>({ window, checkHello, onAccepted }: HelloOptions<Offer>): () => void {
  const onMessage = (event: MessageEvent<unknown>) => {
    const verdict = checkHello(event)
    const [port, ...surplus] = event.ports
    if (verdict.kind === 'ignored') return
    if (verdict.kind === 'accepted' && port !== undefined && surplus.length === 0) {
      onAccepted(port, verdict.offer)
      return
    }
    if (verdict.kind === 'refused' && verdict.refusal !== undefined) port?.postMessage(verdict.refusal)
    for (const stray of event.ports) stray.close()
  }
  window.addEventListener('message', onMessage)
  return () => window.removeEventListener('message', onMessage)
}

export type ParentOptions<Offer> = HelloOptions<Offer> & {
  readonly window: FramedWindow
  /** No data, no port. */
  readonly knock: { readonly message: string; readonly targetOrigin: string }
}

/**
 * Accepts one hello from the page that embeds this frame. Returns a function that stops listening.
 *
 * 3. The knock tells the parent that the frame is ready.
 * 4. Only `window.parent` is judged. Ports of other senders are closed, and the slot stays free: no sibling, child or
 *    opener can use it up.
 * 5. A refusal leaves the slot free. The first accepted hello takes it; later window messages are ignored.
 * 6. A page that is not framed never knocks or accepts.
 */
export function acceptParent<Offer>({ window, knock, checkHello, onAccepted }: ParentOptions<Offer>): () => void {
  const parent = window.parent
  if (Object.is(parent, window)) return () => {}
  const stop = acceptHellos<Offer>({
    window,
    checkHello: (event) => (Object.is(event.source, parent) ? checkHello(event) : { kind: 'refused' }),
    onAccepted(port, offer) {
      stop()
      onAccepted(port, offer)
    },
  })
  parent.postMessage(knock.message, knock.targetOrigin)
  return stop
}

export type HelloTarget = { postMessage(message: unknown, targetOrigin: string, transfer: Transferable[]): void }

/** Posts a hello with one end of a new channel, to `origin` only. Returns the other end. */
export function offerPort(target: HelloTarget, hello: unknown, origin: string): MessagePort {
  const { port1, port2 } = new MessageChannel()
  target.postMessage(hello, origin, [port2])
  return port1
}
