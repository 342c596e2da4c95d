import { isWithinBudget } from '@postern/link/budget'
import {
  Envelope,
  type HostEvent,
  type hostEvents,
  type hostMethods,
  type PageEvent,
  type PageMethod,
  type PageParams,
  type PageResult,
  pageAnswers,
  pageEvents,
} from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure, fromLinkError, toLinkError } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { type HostHandlers, hostRoutes } from './host-methods'

/** Further requests fail with LIMIT_EXCEEDED. */
export const maximumInFlight = 256
/** Responses cached for replayed requests. */
export const rememberedAnswers = 128

export type PageEventHandlers = {
  readonly [E in PageEvent]: (data: z.infer<(typeof pageEvents)[E]>) => void
}

export type HostLink = {
  /** Settles on the result, error, `signal`, timeout (default: the method's, in ms) or end of the link. */
  request<M extends PageMethod>(
    method: M,
    params: PageParams<M>,
    options?: { signal?: AbortSignal; timeout?: number },
  ): Promise<PageResult<M>>
  /** For methods outside the first-paint table. `timeout` in ms; the caller parses the result. */
  ask(method: string, params: unknown, options: { signal?: AbortSignal | undefined; timeout: number }): Promise<unknown>
  emit<E extends HostEvent>(event: E, data: z.infer<(typeof hostEvents)[E]>): void
  /** Settles open requests in both directions and closes the port. */
  end(): void
}

export type HostLinkOptions = {
  readonly port: MessagePort
  readonly handlers: HostHandlers
  readonly events: PageEventHandlers
  readonly clock: Clock
  readonly randomId: () => string
  /** For tests: validates the handlers' results. */
  readonly checked?: typeof hostMethods | undefined
  readonly onEnd: () => void
}

/** The only fields read from an oversized message. */
const Head = z.object({
  v: z.literal(1),
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  kind: z.enum(['request', 'result', 'error', 'cancel', 'event']),
})

type Answer = Extract<Envelope, { kind: 'result' | 'error' }>
type Pending = { resolve(result: unknown): void; reject(error: Failure): void }

/**
 * The host's end of the page link, on the port that the handshake transferred.
 *
 * 1. Every message is measured and parsed as an envelope before anything reads it; a message that does not parse is
 *    dropped. No message can make this function throw.
 * 2. Only the methods of the fixed table are served; any other name is METHOD_NOT_FOUND. Parameters that do not parse
 *    are INVALID_PARAMS and never reach a handler.
 * 3. `init` comes first and only once. Before it, a request is CLIENTS_NOT_SET and an event is dropped; a second `init`
 *    is INVALID_REQUEST. Requests that arrive while `init` runs wait for it.
 * 4. A request id is served once: a replay of a request in flight shares its response, a replay of a settled one gets
 *    the same response again. The cache for this is bounded.
 * 5. `cancel` aborts the handler. A cancelled request gets no response, and a replay of it does not run again.
 * 6. At most {@link maximumInFlight} requests are open at once.
 * 7. Every request to the page settles exactly once: result, error, abort, timeout, or the end of the link. Abort and
 *    timeout send the page a cancel. A response that matches no open request is dropped.
 * 8. The end of the link (`end`, or the port closing) aborts all handlers, rejects all requests with LINK_CLOSED and
 *    leaves no listener.
 * 9. Only the kind and the id of a message over the budget are read: a request fails with LIMIT_EXCEEDED, a response
 *    rejects its request with the same code, anything else is dropped.
 */
export function createHostLink(options: HostLinkOptions): HostLink {
  const { port, events, clock, randomId } = options
  const routes = hostRoutes(options.handlers, options.checked)
  const serving = new Map<string, AbortController>()
  const answers = new Map<string, Answer>()
  const pending = new Map<string, Pending>()
  let init: { id: string; done: Promise<unknown> } | null = null
  let ended = false

  function onMessage({ data }: MessageEvent<unknown>) {
    if (!isWithinBudget(data)) return onOversized(data)
    const parsed = Envelope.safeParse(data)
    if (!parsed.success) return
    const message = parsed.data
    switch (message.kind) {
      case 'request':
        return onRequest(message.id, message.method, message.params)
      case 'cancel':
        return serving.get(message.id)?.abort(new Failure('ABORTED'))
      case 'result':
        return take(message.id)?.resolve(message.result)
      case 'error':
        return take(message.id)?.reject(fromLinkError(message.error))
      case 'event':
        if (init !== null) dispatchEvent(message.event, message.data)
    }
  }

  function onOversized(data: unknown): void {
    const parsed = Head.safeParse(data)
    if (!parsed.success) return
    const { kind, id } = parsed.data
    if (kind === 'result' || kind === 'error') take(id)?.reject(new Failure('LIMIT_EXCEEDED'))
    if (kind === 'request' && !replay(id)) refuse(id, 'LIMIT_EXCEEDED')
  }

  /** Whether the id is known; resends the response if settled. */
  function replay(id: string): boolean {
    const answered = answers.get(id)
    if (answered !== undefined) send(answered)
    return answered !== undefined || serving.has(id)
  }

  function onRequest(id: string, method: string, params: unknown) {
    if (replay(id)) return
    const route = routes.get(method)
    if (route === undefined) return refuse(id, 'METHOD_NOT_FOUND')
    if ((method === 'init') === (init !== null)) return refuse(id, init ? 'INVALID_REQUEST' : 'CLIENTS_NOT_SET')
    if (serving.size >= maximumInFlight) return refuse(id, 'LIMIT_EXCEEDED')

    const controller = new AbortController()
    serving.set(id, controller)
    const ready = init?.done ?? Promise.resolve()
    const run = ready.then(() => {
      controller.signal.throwIfAborted()
      return route(params, controller.signal)
    })
    if (method === 'init') init = { id, done: run.catch(() => forgetInit(id)) }
    run.then(
      (result) => answer(id, controller.signal, { v: 1, id, kind: 'result', result }),
      (thrown) => answer(id, controller.signal, { v: 1, id, kind: 'error', error: toLinkError(thrown) }),
    )
  }

  function forgetInit(id: string): void {
    if (init?.id === id) init = null
  }

  function refuse(
    id: string,
    code: 'METHOD_NOT_FOUND' | 'INVALID_REQUEST' | 'CLIENTS_NOT_SET' | 'LIMIT_EXCEEDED',
  ): void {
    const message: Answer = { v: 1, id, kind: 'error', error: toLinkError(new Failure(code)) }
    // Not cached: the request may be retried later.
    if (code !== 'LIMIT_EXCEEDED') remember(message)
    send(message)
  }

  function answer(id: string, signal: AbortSignal, message: Answer) {
    serving.delete(id)
    if (ended) return
    if (signal.aborted) return remember({ v: 1, id, kind: 'error', error: toLinkError(new Failure('ABORTED')) })
    try {
      port.postMessage(message)
      remember(message)
    } catch {
      const fallback: Answer = { v: 1, id, kind: 'error', error: toLinkError(new Failure('INTERNAL')) }
      port.postMessage(fallback)
      remember(fallback)
    }
  }

  function remember(message: Answer): void {
    answers.set(message.id, message)
    for (const oldest of answers.keys()) {
      if (answers.size <= rememberedAnswers) break
      answers.delete(oldest)
    }
  }

  function dispatchEvent(name: string, data: unknown) {
    switch (name) {
      case 'pageWallets':
        return deliver(pageEvents.pageWallets, data, events.pageWallets)
      case 'walletEvent':
        return deliver(pageEvents.walletEvent, data, events.walletEvent)
      case 'transacted':
        return deliver(pageEvents.transacted, data, events.transacted)
      case 'signInChanged':
        return deliver(pageEvents.signInChanged, data ?? null, events.signInChanged)
      case 'dismiss':
        return deliver(pageEvents.dismiss, data ?? null, events.dismiss)
    }
  }

  function take(id: string): Pending | undefined {
    const request = pending.get(id)
    pending.delete(id)
    return request
  }

  function send(message: Envelope): void {
    if (!ended) port.postMessage(message)
  }

  function ask(
    method: string,
    params: unknown,
    { signal, timeout }: { signal?: AbortSignal | undefined; timeout: number },
  ): Promise<unknown> {
    const id = randomId()
    return new Promise<unknown>((resolve, reject) => {
      if (ended) return reject(new Failure('LINK_CLOSED'))
      if (signal?.aborted) return reject(abortFailure(signal))
      const cancel = (error: Failure) => {
        if (!pending.has(id)) return
        send({ v: 1, id, kind: 'cancel' })
        take(id)?.reject(error)
      }
      const onAbort = () => cancel(abortFailure(signal))
      const stopTimer = timeout > 0 ? clock.after(timeout, () => cancel(new Failure('TIMEOUT'))) : () => {}
      const settled = () => {
        stopTimer()
        signal?.removeEventListener('abort', onAbort)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      pending.set(id, {
        resolve(result) {
          settled()
          resolve(result)
        },
        reject(error) {
          settled()
          reject(error)
        },
      })
      send({ v: 1, id, kind: 'request', method, params })
    })
  }

  function end(): void {
    if (ended) return
    ended = true
    port.removeEventListener('message', onMessage)
    port.removeEventListener('close', end)
    port.close()
    for (const controller of serving.values()) controller.abort(new Failure('LINK_CLOSED'))
    for (const id of [...pending.keys()]) take(id)?.reject(new Failure('LINK_CLOSED'))
    serving.clear()
    answers.clear()
    options.onEnd()
  }

  port.addEventListener('message', onMessage)
  port.addEventListener('close', end)
  port.start()

  return {
    request: (method, params, { signal, timeout = pageAnswers[method].timeout } = {}) =>
      ask(method, params, { signal, timeout }).then(readResult[method]),
    ask,
    emit(event, data) {
      send({ v: 1, id: randomId(), kind: 'event', event, data })
    },
    end,
  }
}

function deliver<T>(schema: z.ZodMiniType<T>, data: unknown, handle: (data: T) => void): void {
  const parsed = schema.safeParse(data)
  if (parsed.success) handle(parsed.data)
}

const readResult: { readonly [M in PageMethod]: (result: unknown) => PageResult<M> } = {
  walletRequest: (result) => readAnswer(pageAnswers.walletRequest.result, result),
  openLink: (result) => readAnswer(pageAnswers.openLink.result, result ?? null),
  store: (result) => readAnswer(pageAnswers.store.result, result ?? null),
}

/** @throws Failure INTERNAL if the result does not match the schema. */
export function readAnswer<T>(schema: z.ZodMiniType<T>, result: unknown): T {
  const parsed = schema.safeParse(result)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  return parsed.data
}

function abortFailure(signal: AbortSignal | undefined): Failure {
  return signal?.reason instanceof Failure ? signal.reason : new Failure('ABORTED', { cause: signal?.reason })
}
