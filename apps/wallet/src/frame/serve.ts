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

/** Requests of the modal that may be open at once; the next one is answered LIMIT_EXCEEDED. */
export const maximumInFlight = 128
/** Answers that are remembered, so that a replayed request gets the one it had. */
export const rememberedAnswers = 128

export type Handler<N extends WalletFrameRequestName> = (
  payload: WalletFramePayload<N>,
  context: RequestContext,
) => Promise<WalletFrameSuccess<N>> | WalletFrameSuccess<N>

/** One for each name; RPC_ABORT is answered here. */
export type Handlers = { readonly [N in Exclude<WalletFrameRequestName, 'RPC_ABORT'>]: Handler<N> }

export type FrameService = {
  notify(notice: WalletFrameNotice): void
  /** Ends the link: what is open is called off, the port closes. */
  end(): void
}

export type ServeOptions = {
  readonly port: MessagePort
  readonly handlers: Handlers
  /** Whatever a handler threw, as a failure of the catalogue that tells nothing of the inside. */
  readonly toFailure: (thrown: unknown) => Failure
  readonly onEnd: () => void
}

/** As much of a message out of all proportion as is looked at. */
const Head = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  type: z.string().check(z.maxLength(64)),
})

/**
 * The frame's end of the link, on the port that the handshake moved.
 *
 * 1. Every message is measured and parsed before anything looks at it; what is no request of the table is dropped. Nothing that arrives can make this function throw.
 * 2. A payload that its schema does not take is answered INVALID_PARAMS and never reaches a handler.
 * 3. Every request that was taken settles exactly once: with what its handler answers or throws, with ABORTED when it was called off, not at all once the link is over.
 * 4. An id is served once: a replay in flight joins the one answer, a replay of an answered one gets the same again. The memory for that is bounded.
 * 5. RPC_ABORT calls off the request of its id, and succeeds also where there is none.
 * 6. No more than {@link maximumInFlight} requests are open at once.
 * 7. An answer that its own schema does not take, or that cannot be cloned, becomes INTERNAL: the modal never waits for it.
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
    // A refusal for load is no answer for ever: the same request may come again when there is room.
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

  /** Never rejects. */
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

/** Settles with the work, or as soon as the signal ends: the modal never waits for somebody who does not listen to it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
