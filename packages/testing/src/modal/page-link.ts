import { systemClock } from '@postern/base/clock'
import { createAsks } from '@postern/link/ask'
import { openPort } from '@postern/link/port'
import { type Run, serveRequests } from '@postern/link/serve'
import {
  Envelope,
  type ErrorCode,
  type HostEvent,
  type HostMethod,
  type HostParams,
  type HostResult,
  type hostEvents,
  hostMethods,
  linkVersion,
  type SignInMethod,
  type SignInParams,
  type SignInResult,
  signInMethods,
  type Welcome,
} from '@postern/protocol'
import { Failure, fromLinkError, toLinkError } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'

export type Handlers = {
  readonly [M in HostMethod]: (params: HostParams<M>, signal: AbortSignal) => HostResult<M> | Promise<HostResult<M>>
}

export type PageLink = {
  emit<E extends HostEvent>(event: E, data: z.infer<(typeof hostEvents)[E]>): void
  /** Asks the dapp's sign-in plugin. */
  ask<M extends SignInMethod>(method: M, params: SignInParams<M>): Promise<SignInResult<M>>
  end(): void
}

export type PageLinkOptions = {
  readonly port: MessagePort
  readonly handlers: Handlers
  /** The user presses Escape. */
  readonly onDismiss: () => void
}

type Request = Extract<Envelope, { kind: 'request' }>
type Answer = Extract<Envelope, { kind: 'result' | 'error' }>

const Head = z.object({ v: z.literal(1), id: z.string(), kind: z.string() })
const maxOpenRequests = 256

/**
 * The scripted modal's end of the page link, on the real engine (`@postern/link`).
 *
 * 1. The protocol's schemas parse the page's parameters and the script's results. The error of an invalid result names
 *    the field, because the mistake is in the script.
 * 2. A handler's error reaches the page like a wallet's, with its code, message and data.
 */
export function openPageLink({ port: end, handlers, onDismiss }: PageLinkOptions): PageLink {
  const routes = routesOf(handlers)
  const port = openPort({
    port: end,
    codec: { parse: readWith(Envelope), parseHead: readWith(Head) },
    onMessage,
    onOversized(head: z.infer<typeof Head>) {
      if (head.kind === 'request') requests.receiveOversized(head)
    },
    onClose: close,
  })
  const asks = createAsks<Answer>(systemClock())
  const requests = serveRequests<{ readonly id: string }, Request, Answer>({
    maxInFlight: maxOpenRequests,
    maxRemembered: maxOpenRequests,
    replays: 'answer',
    cancelled: 'drop',
    accept,
    refused: (head, code) => failed(head, new Failure(code)),
    failed,
    post: port.post,
  })
  port.post({ kind: 'welcome', v: linkVersion, host: 'scripted' } satisfies Welcome)

  function onMessage(message: Envelope): void {
    if (message.kind === 'request') requests.receive(message)
    else if (message.kind === 'cancel') requests.cancel(message.id)
    else if (message.kind !== 'event') asks.receive(message.id, message)
    else if (message.event === 'dismiss') onDismiss()
  }

  function accept({ id, method, params }: Request): ErrorCode | Run<Answer> {
    const route = routes.get(method)
    if (route === undefined) return 'METHOD_NOT_FOUND'
    return async (signal) => ({ v: 1, id, kind: 'result', result: await route(params ?? null, signal) })
  }

  function close(): void {
    port.close()
    requests.end()
    asks.end()
  }

  return {
    emit: (event, data) => port.post({ v: 1, id: crypto.randomUUID(), kind: 'event', event, data }),
    async ask(method, params) {
      const id = crypto.randomUUID()
      const result = await asks.ask<unknown>({
        id,
        timeoutMs: signInMethods[method].timeout,
        timeoutCode: 'TIMEOUT',
        send: () => port.post({ v: 1, id, kind: 'request', method, params }),
        sendCancel: () => port.post({ v: 1, id, kind: 'cancel' }),
        read: (answer) =>
          answer.kind === 'result'
            ? { ok: true, result: answer.result }
            : { ok: false, failure: fromLinkError(answer.error) },
      })
      return answerOf[method](result ?? null)
    },
    end: close,
  }
}

type Table = {
  readonly [M in HostMethod]: {
    readonly params: z.ZodMiniType<HostParams<M>>
    readonly result: z.ZodMiniType<HostResult<M>>
  }
}

function routesOf(handlers: Handlers) {
  const table: Table = hostMethods
  function routeOf<M extends HostMethod>(method: M) {
    return async (raw: unknown, signal: AbortSignal): Promise<unknown> => {
      const params = read(table[method].params, raw, `The page’s ${method}`)
      return read<HostResult<M>>(table[method].result, await handlers[method](params, signal), `The script’s ${method}`)
    }
  }
  const names = Object.keys(hostMethods).filter((name): name is HostMethod => Object.hasOwn(hostMethods, name))
  return new Map(names.map((method) => [method as string, routeOf(method)]))
}

const answerOf: { readonly [M in SignInMethod]: (result: unknown) => SignInResult<M> } = {
  siwxCreateMessage: (result) => read(signInMethods.siwxCreateMessage.result, result, 'The message'),
  siwxAddSession: (result) => read(signInMethods.siwxAddSession.result, result, 'addSession'),
  siwxRevokeSession: (result) => read(signInMethods.siwxRevokeSession.result, result, 'revokeSession'),
  siwxSetSessions: (result) => read(signInMethods.siwxSetSessions.result, result, 'setSessions'),
  siwxGetState: (result) => read(signInMethods.siwxGetState.result, result, 'getSessions'),
}

function read<T>(schema: z.ZodMiniType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Failure('INVALID_PARAMS', { message: `${what} is not valid.\n${z.prettifyError(parsed.error)}` })
}

function failed({ id }: { readonly id: string }, thrown: unknown): Answer {
  return { v: 1, id, kind: 'error', error: toLinkError(asFailure(thrown)) }
}

function readWith<T>(schema: z.ZodMiniType<T>): (data: unknown) => T | null {
  return (data) => {
    const parsed = schema.safeParse(data)
    return parsed.success ? parsed.data : null
  }
}
