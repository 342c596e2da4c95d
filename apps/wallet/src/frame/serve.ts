import { isWithinBudget } from '@postern/link/budget'
import {
  parseWalletFramePayload,
  parseWalletFrameRequest,
  type WalletFrameMessage,
  type WalletFrameNotice,
  type WalletFramePayload,
  type WalletFrameRequest,
  type WalletFrameRequestName,
  type WalletFrameSuccess,
  walletFrameNotice,
  walletFrameReply,
  walletFrameRequests,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { RequestContext } from '../contract'

/** Max open requests; the next one gets LIMIT_EXCEEDED. */
export const maximumInFlight = 128
/** Max cached responses; a replayed request gets its earlier one. */
export const rememberedAnswers = 128

export type Handler<N extends WalletFrameRequestName> = (
  payload: WalletFramePayload<N>,
  context: RequestContext,
) => Promise<WalletFrameSuccess<N>> | WalletFrameSuccess<N>

export type Handlers = { readonly [N in Exclude<WalletFrameRequestName, 'RPC_ABORT'>]: Handler<N> }

export type FrameService = {
  notify(notice: WalletFrameNotice): void
  end(): void
}

export type ServeOptions = {
  readonly port: MessagePort
  readonly handlers: Handlers
  /** Maps an error to a catalogue failure without internal details. */
  readonly toFailure: (thrown: unknown) => Failure
  readonly onEnd: () => void
}

/** The only fields read from an oversized message. */
const Head = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  type: z.string().check(z.maxLength(64)),
})

/**
 * The frame's end of the link, on the port from the handshake.
 *
 * 1. Every message is measured and parsed first; anything but a listed request is dropped. No message can make this
 *    function throw.
 * 2. An invalid payload gets INVALID_PARAMS and never reaches a handler.
 * 3. Every accepted request settles exactly once: with the handler's result or error, with ABORTED, or not at all after
 *    the link ends.
 * 4. An id is served once: a replay joins a pending request, or gets the same response. The cache is bounded.
 * 5. RPC_ABORT aborts the request of its id, and succeeds even if there is none.
 * 6. At most {@link maximumInFlight} requests are open.
 * 7. A result that fails its schema or cannot be cloned becomes INTERNAL: the modal never waits for it.
 */
export function serve({ port, handlers, toFailure, onEnd }: ServeOptions): FrameService {
  const open = new Map<string, AbortController>()
  const answers = new Map<string, WalletFrameMessage>()
  let ended = false

  function onMessage({ data }: MessageEvent<unknown>) {
    if (!isWithinBudget(data)) return onOversized(data)
    const request = parseWalletFrameRequest(data)
    if (request === null || replay(request.id)) return
    if (open.size >= maximumInFlight && request.name !== 'RPC_ABORT') return refuse(request, 'LIMIT_EXCEEDED')
    take(request, request.name)
  }

  function onOversized(data: unknown): void {
    const head = Head.safeParse(data)
    const request = head.success ? parseWalletFrameRequest(head.data) : null
    if (request !== null && !replay(request.id)) refuse(request, 'LIMIT_EXCEEDED')
  }

  function replay(id: string): boolean {
    const answered = answers.get(id)
    if (answered !== undefined) post(answered)
    return answered !== undefined || open.has(id)
  }

  function refuse({ id, name }: WalletFrameRequest, code: 'LIMIT_EXCEEDED' | 'INVALID_PARAMS'): void {
    const { message } = new Failure(code)
    const answer = walletFrameReply(name, { id, ok: false, message, code })
    // Not cached: it may be retried.
    if (code !== 'LIMIT_EXCEEDED') remember(answer)
    post(answer)
  }

  function take<N extends WalletFrameRequestName>(request: WalletFrameRequest, name: N) {
    const read = parseWalletFramePayload(name, request.payload)
    if (read === null) return refuse(request, 'INVALID_PARAMS')
    const { id } = request
    const controller = new AbortController()
    open.set(id, controller)
    void run(name, read.payload, { id, signal: controller.signal }).then((answer) => {
      open.delete(id)
      if (ended) return
      remember(answer)
      post(answer)
    })
  }

  async function run<N extends WalletFrameRequestName>(
    name: N,
    payload: WalletFramePayload<N>,
    context: RequestContext,
  ): Promise<WalletFrameMessage> {
    const { id, signal } = context
    try {
      const success = await orAborted((async () => table[name](payload, context))(), signal)
      const checked = walletFrameRequests[name].success.safeParse(success)
      if (!checked.success) throw new Failure('INTERNAL')
      return walletFrameReply(name, { id, ok: true, payload: checked.data })
    } catch (thrown) {
      const { message, code, rpc, data } = toFailure(thrown)
      const chain = { ...(rpc !== undefined && { rpc }), ...(data !== undefined && { data }) }
      return walletFrameReply(name, { id, ok: false, message, code, ...chain })
    }
  }

  const abort: Handler<'RPC_ABORT'> = ({ id }) => {
    open.get(id)?.abort(new Failure('ABORTED'))
    return undefined
  }
  const table: { readonly [N in WalletFrameRequestName]: Handler<N> } = { ...handlers, RPC_ABORT: abort }

  function remember(answer: WalletFrameMessage): void {
    answers.set(answer.id, answer)
    for (const oldest of answers.keys()) {
      if (answers.size <= rememberedAnswers) break
      answers.delete(oldest)
    }
  }

  function post(answer: WalletFrameMessage): void {
    try {
      port.postMessage(answer)
    } catch {
      const { id, type } = answer
      const { message } = new Failure('INTERNAL')
      const fallback = { id, type: type.replace(/_SUCCESS$/, '_ERROR'), payload: { message, code: 'INTERNAL' } }
      remember(fallback)
      port.postMessage(fallback)
    }
  }

  function end(): void {
    if (ended) return
    ended = true
    port.removeEventListener('message', onMessage)
    port.removeEventListener('close', end)
    port.close()
    for (const controller of open.values()) controller.abort(new Failure('LINK_CLOSED'))
    onEnd()
  }

  port.addEventListener('message', onMessage)
  port.addEventListener('close', end)
  port.start()
  return {
    notify(notice) {
      if (!ended) port.postMessage(walletFrameNotice(notice))
    },
    end,
  }
}

/** Settles when the signal aborts, even if the work ignores it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
