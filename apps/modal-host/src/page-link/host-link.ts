import type { Clock } from '@postern/base/clock'
import { createAsks } from '@postern/link/ask'
import { openPort } from '@postern/link/port'
import { type Run, serveRequests } from '@postern/link/serve'
import {
  Envelope,
  type ErrorCode,
  type HostEvent,
  type HostMethod,
  type HostParams,
  type HostState,
  type hostEvents,
  isErrorCode,
  type PageEvent,
  type PageMethod,
  type PageParams,
  type PageResult,
  pageAnswers,
  pageEvents,
  tryParse,
} from '@postern/protocol'
import { Failure, fromLinkError, toLinkError } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { type CheckResult, hostRoute, isHostMethod, type PageHandlers, type Route } from './host-methods'

/** Further requests fail with LIMIT_EXCEEDED. */
export const maxOpenRequests = 256
export const maxCachedAnswers = 128

export type PageEventHandlers = {
  readonly [E in PageEvent]: (data: z.infer<(typeof pageEvents)[E]>) => void
}

export type BegunPage = {
  /** The result of `init`. */
  state(): HostState | Promise<HostState>
  readonly handlers: PageHandlers
  readonly events: PageEventHandlers
}

type Fixes = Readonly<Record<ErrorCode, string>>

export type HostLink = {
  /** Settles on the result, error, `signal`, timeout (ms; default: the method's) or end of the link. */
  request<M extends PageMethod>(
    method: M,
    params: PageParams<M>,
    options?: { signal?: AbortSignal; timeout?: number },
  ): Promise<PageResult<M>>
  /** For methods outside the first-paint table; the caller parses the result. */
  ask(method: string, params: unknown, options: { signal?: AbortSignal | undefined; timeout: number }): Promise<unknown>
  emit<E extends HostEvent>(event: E, data: z.infer<(typeof hostEvents)[E]>): void
  /** Texts that make errors say what to do. */
  setFixes(fixes: Fixes): void
  end(): void
}

export type HostLinkOptions = {
  readonly port: MessagePort
  readonly begin: (params: HostParams<'init'>, signal: AbortSignal) => BegunPage
  readonly clock: Clock
  readonly randomId: () => string
  readonly warn: (text: string) => void
  /** For tests. */
  readonly check?: CheckResult | undefined
  readonly onEnd: () => void
}

/** The only fields read from an oversized message. */
const Head = z.object({
  v: z.literal(1),
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  kind: z.enum(['request', 'result', 'error', 'cancel', 'event']),
})
type Head = z.infer<typeof Head>

type PageRequest = Extract<Envelope, { kind: 'request' }>
type Answer = Extract<Envelope, { kind: 'result' | 'error' }>

/**
 * The host's end of the page link, on the handshake's port. `@postern/link` states the rules of every link.
 *
 * 1. An envelope that does not parse is dropped. No message can make this function throw.
 * 2. Only methods of the fixed table are served; any other is METHOD_NOT_FOUND. Parameters that do not parse are
 *    INVALID_PARAMS and reach no handler. Unknown members of the dapp's options are dropped.
 * 3. `init` comes first and only once: before it, a request is CLIENTS_NOT_SET and an event is dropped; a second `init`
 *    is INVALID_REQUEST. Requests that arrive while `init` runs wait for it.
 * 4. At most {@link maxCachedAnswers} responses are cached for replayed requests.
 * 5. A cancelled request gets no response, and its replay does not run again.
 * 6. At most {@link maxOpenRequests} requests are open at once.
 * 7. Abort and timeout of a request to the page send a cancel.
 * 8. The end of the link aborts all handlers, rejects all requests with LINK_CLOSED and leaves no listener.
 * 9. Of a message over the budget only kind and id are read: its request fails with LIMIT_EXCEEDED, anything else is
 *    dropped.
 * 10. An error says what to do, once that code has loaded (`setFixes`).
 */
export function createHostLink(options: HostLinkOptions): HostLink {
  const { randomId } = options
  let init: { readonly id: string; readonly done: Promise<unknown> } | null = null
  let page: BegunPage | null = null
  let fixes: Fixes | undefined
  let isEnded = false

  const port = openPort({
    port: options.port,
    codec: { parse: readWith(Envelope), parseHead: readWith(Head) },
    onMessage,
    onOversized,
    onClose: end,
  })
  const asks = createAsks<Answer>(options.clock)
  const requests = serveRequests<Head | PageRequest, PageRequest, Answer>({
    maxInFlight: maxOpenRequests,
    maxRemembered: maxCachedAnswers,
    replays: 'answer',
    cancelled: 'drop',
    accept,
    refused: (head, code) => failed(head, new Failure(code)),
    failed,
    post: send,
  })

  function onMessage(message: Envelope) {
    switch (message.kind) {
      case 'request':
        return requests.receive(message)
      case 'cancel':
        return requests.cancel(message.id)
      case 'result':
      case 'error':
        return asks.receive(message.id, message)
      case 'event':
        if (init !== null) dispatchEvent(message.event, message.data)
    }
  }

  function onOversized(head: Head): void {
    if (head.kind === 'result' || head.kind === 'error') asks.receiveOversized(head.id)
    if (head.kind === 'request') requests.receiveOversized(head)
  }

  function accept({ id, method, params }: PageRequest): ErrorCode | Run<Answer> {
    if (!isHostMethod(method)) return 'METHOD_NOT_FOUND'
    if ((method === 'init') === (init !== null)) return init ? 'INVALID_REQUEST' : 'CLIENTS_NOT_SET'
    return async (signal) => {
      const ready = init?.done ?? Promise.resolve()
      const run = ready.then(() => {
        signal.throwIfAborted()
        return routeOf(method)(params, signal)
      })
      if (method === 'init') init = { id, done: run.catch(() => forgetInit(id)) }
      return { v: 1, id, kind: 'result', result: await run }
    }
  }

  function routeOf(method: HostMethod): Route {
    if (method === 'init') return hostRoute(method, begin, options)
    if (page === null) throw new Failure('CLIENTS_NOT_SET')
    return hostRoute(method, page.handlers[method], options)
  }

  function begin(params: HostParams<'init'>, signal: AbortSignal): HostState | Promise<HostState> {
    page = options.begin(params, signal)
    return page.state()
  }

  function forgetInit(id: string): void {
    if (init?.id === id) init = null
  }

  function dispatchEvent(name: string, data: unknown) {
    if (page === null) return
    const { events } = page
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

  function send(message: Envelope): void {
    port.post(withFix(message, fixes))
  }

  function ask(
    method: string,
    params: unknown,
    { signal, timeout }: { signal?: AbortSignal | undefined; timeout: number },
  ): Promise<unknown> {
    const id = randomId()
    return asks.ask<unknown>({
      id,
      signal,
      timeoutMs: timeout,
      timeoutCode: 'TIMEOUT',
      send: () => send({ v: 1, id, kind: 'request', method, params }),
      sendCancel: () => send({ v: 1, id, kind: 'cancel' }),
      read: (answer) =>
        answer.kind === 'result'
          ? { ok: true, result: answer.result }
          : { ok: false, failure: fromLinkError(answer.error) },
    })
  }

  function end(): void {
    if (isEnded) return
    isEnded = true
    port.close()
    requests.end()
    asks.end()
    options.onEnd()
  }

  return {
    request: (method, params, { signal, timeout = pageAnswers[method].timeout } = {}) =>
      ask(method, params, { signal, timeout }).then(readResult[method]),
    ask,
    emit(event, data) {
      send({ v: 1, id: randomId(), kind: 'event', event, data })
    },
    setFixes(loaded) {
      fixes = loaded
    },
    end,
  }
}

function failed({ id }: { readonly id: string }, thrown: unknown): Answer {
  return { v: 1, id, kind: 'error', error: toLinkError(thrown) }
}

function withFix(message: Envelope, fixes: Fixes | undefined): Envelope {
  if (message.kind !== 'error' || fixes === undefined || !isErrorCode(message.error.code)) return message
  return { ...message, error: { ...message.error, fix: fixes[message.error.code] } }
}

function readWith<T>(schema: z.ZodMiniType<T>): (data: unknown) => T | null {
  return (data) => {
    const parsed = tryParse(schema, data)
    return parsed.success ? parsed.data : null
  }
}

function deliver<T>(schema: z.ZodMiniType<T>, data: unknown, handle: (data: T) => void): void {
  const parsed = tryParse(schema, data)
  if (parsed.success) handle(parsed.data)
}

const readResult: { readonly [M in PageMethod]: (result: unknown) => PageResult<M> } = {
  walletRequest: (result) => readAnswer(pageAnswers.walletRequest.result, result),
  openLink: (result) => readAnswer(pageAnswers.openLink.result, result ?? null),
  store: (result) => readAnswer(pageAnswers.store.result, result ?? null),
}

/** @throws {Failure} INTERNAL if malformed */
export function readAnswer<T>(schema: z.ZodMiniType<T>, result: unknown): T {
  const parsed = tryParse(schema, result)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  return parsed.data
}
