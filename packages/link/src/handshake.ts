export type HelloWindow = {
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
}

export type FramedWindow = HelloWindow & {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void }
}

/** `refusal`: for the hello's first port. */
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
 * Accepts hellos, each with one port. Returns a stop function.
 *
 * 1. A hello is accepted if `checkHello` accepts it and it has exactly one port.
 * 2. A refused hello's ports are closed. An ignored message is not touched.
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
  /** Posted without data or port. */
  readonly knock: { readonly message: string; readonly targetOrigin: string }
}

/**
 * Accepts one hello from the page that embeds this frame. Returns a stop function.
 *
 * 3. The knock tells the parent that the frame is ready.
 * 4. Only hellos of `window.parent` are checked. Those of siblings, children and openers have their ports closed, and
 *    cannot use up the one accepted hello.
 * 5. After a refusal another hello may follow. After the accepted one, window messages are ignored.
 * 6. A page without a parent neither knocks nor accepts.
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

/** Posts a hello with one end of a new channel, to `origin` only. */
export function offerPort(target: HelloTarget, hello: unknown, origin: string): MessagePort {
  const { port1, port2 } = new MessageChannel()
  target.postMessage(hello, origin, [port2])
  return port1
}
