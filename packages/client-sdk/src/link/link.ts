import type { Envelope, HostMethod, HostParams, PageEvent } from '@postern/protocol'
import { factsOfMethod } from '@postern/protocol/methods'
import { hostTimeouts } from '@postern/protocol/page-link/timeouts'
import { isPosternError, PosternError } from '../shared/errors'
import { requestFailure } from '../shared/failures'
import { isEnvelope } from './guards'
import { toLinkError } from './link-error'

export type LinkPort = Pick<MessagePort, 'postMessage' | 'close' | 'onmessage' | 'addEventListener'>

export type Timers = {
  /** Returns a cancel function. */
  after(delay: number, callback: () => void): () => void
}

export type LinkOptions = {
  readonly timers: Timers
  readonly randomId: () => string
  /** A rejection becomes the error response. `signal` aborts when the host cancels. */
  readonly serve: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>
  readonly onEvent: (event: string, data: unknown) => void
  /** The frame closed the port. */
  readonly onLost: () => void
  /** A request waits without a port. */
  readonly onWanted: () => void
}

export type Link = {
  request<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown>
  /** Dropped without a port. */
  emit(event: PageEvent, data: unknown): void
  attach(port: LinkPort, init: HostParams<'init'>): Promise<unknown>
  detach(): void
  fail(error: PosternError): void
  readonly isAttached: boolean
  /** The last port was lost during an approval. */
  readonly hasLostApproval: boolean
  /** Counts neither `init` nor `ping`. */
  readonly pendingCount: number
}

type Pending = {
  readonly method: HostMethod
  readonly params: unknown
  readonly settle: (outcome: { result: unknown } | { error: PosternError }) => void
  readonly onSent: () => void
  /** Returns whether the request was sent. */
  readonly onDetached: () => boolean
}

/**
 * The page's end of the page link. It outlives ports.
 *
 * 1. Every request settles exactly once: by its result, a typed error, its `AbortSignal`, its timeout, or the end of
 *    the link. Abort and timeout cancel a sent request at the host.
 * 2. Requests without a port wait. They are sent after `init`, in order.
 * 3. `init` is the first message on a new port. Unanswered requests follow under their original ids. Requests that
 *    sign, pay or send are sent only once, because a wallet would act twice: those that pay or send end as
 *    OUTCOME_UNKNOWN, others as LINK_CLOSED.
 * 4. Messages that are no envelopes, and answers to no open request, are dropped.
 * 5. Messages from an earlier port are ignored.
 * 6. A request from the host is answered on its own port, as plain data, unless it is gone or the host cancelled.
 * 7. A timeout starts when the request was last sent.
 */
export function createLink({ timers, randomId, serve, onEvent, onLost, onWanted }: LinkOptions): Link {
  const pending = new Map<string, Pending>()
  let port: LinkPort | undefined
  let serving = new Map<string, AbortController>()
  let hasLostApproval = false

  function post(message: Envelope): void {
    port?.postMessage(message)
  }

  function add(method: HostMethod, params: unknown, signal?: AbortSignal): { id: string; answer: Promise<unknown> } {
    const id = randomId()
    const answer = new Promise<unknown>((resolve, reject) => {
      let stopTimer = () => {}
      let wasSent = false
      const onAbort = () => cancel(abortError(signal))
      function cancel(error: PosternError): void {
        post({ v: 1, id, kind: 'cancel' })
        settle({ error })
      }
      function settle(outcome: { result: unknown } | { error: PosternError }): void {
        if (!pending.delete(id)) return
        stopTimer()
        signal?.removeEventListener('abort', onAbort)
        if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.result)
      }
      function onSent(): void {
        stopTimer()
        wasSent = true
        const timeout = hostTimeouts[method]
        if (timeout) stopTimer = timers.after(timeout, () => cancel(requestFailure('TIMEOUT')))
      }
      function onDetached(): boolean {
        stopTimer()
        return wasSent
      }
      pending.set(id, { method, params, settle, onSent, onDetached })
      if (signal?.aborted === true) settle({ error: abortError(signal) })
      else signal?.addEventListener('abort', onAbort)
    })
    return { id, answer }
  }

  function send(id: string): void {
    const request = pending.get(id)
    if (request === undefined) return
    const { method, params } = request
    try {
      post({ v: 1, id, kind: 'request', method, params })
      request.onSent()
    } catch (cause) {
      // Not cloneable.
      request.settle({ error: requestFailure('INVALID_PARAMS', cause) })
    }
  }

  function onMessage(from: LinkPort, data: unknown): void {
    if (from !== port || !isEnvelope(data)) return
    if (data.kind === 'result') pending.get(data.id)?.settle({ result: data.result })
    else if (data.kind === 'error') pending.get(data.id)?.settle({ error: new PosternError(data.error) })
    else if (data.kind === 'event') onEvent(data.event, data.data)
    else if (data.kind === 'cancel') serving.get(data.id)?.abort()
    else answer(from, data.id, data.method, data.params)
  }

  function answer(from: LinkPort, id: string, method: string, params: unknown): void {
    if (serving.has(id)) return
    const controller = new AbortController()
    serving.set(id, controller)
    const reply = (message: Envelope) => {
      if (from !== port) return
      serving.delete(id)
      if (!controller.signal.aborted) post(message)
    }
    serve(method, params, controller.signal).then(
      (result) => reply({ v: 1, id, kind: 'result', result }),
      (thrown: unknown) => reply({ v: 1, id, kind: 'error', error: toLinkError(thrown) }),
    )
  }

  function detach(): void {
    if (port === undefined) return
    port.onmessage = null
    port.close()
    port = undefined
    for (const controller of serving.values()) controller.abort(hostGone)
    serving = new Map()
    // Rule 3.
    hasLostApproval = false
    for (const { method, params, settle, onDetached } of [...pending.values()]) {
      const wasSent = onDetached()
      const isLost = wasSent && (method === 'pay' || isApproved(method, params))
      if (isLost) hasLostApproval = true
      if (isLost && sends(method, params)) settle({ error: requestFailure('OUTCOME_UNKNOWN') })
      else if (isLost || isOwn(method)) settle({ error: requestFailure('LINK_CLOSED') })
    }
  }

  return {
    request(method, params, signal) {
      const { id, answer } = add(method, params, signal)
      if (port !== undefined) send(id)
      else if (pending.has(id)) onWanted()
      return answer
    },
    emit(event, data) {
      post({ v: 1, id: randomId(), kind: 'event', event, data })
    },
    attach(next, init) {
      detach()
      const unanswered = [...pending.keys()]
      port = next
      next.onmessage = ({ data }) => onMessage(next, data)
      // Browsers without this event: the next ping detects a crash.
      next.addEventListener('close', () => {
        if (next === port) {
          detach()
          onLost()
        }
      })
      const { id, answer } = add('init', init)
      for (const each of [id, ...unanswered]) send(each)
      return answer
    },
    detach,
    fail(error) {
      for (const { settle } of [...pending.values()]) settle({ error })
    },
    get isAttached() {
      return port !== undefined
    },
    get hasLostApproval() {
      return hasLostApproval
    },
    get pendingCount() {
      return [...pending.values()].filter(({ method }) => !isOwn(method)).length
    },
  }
}

export const hostGone = 'host gone'

function isOwn(method: HostMethod): boolean {
  return method === 'init' || method === 'ping'
}

/** Also for unknown methods, which a newer host may know. */
function isApproved(method: HostMethod, params: unknown): boolean {
  if (method !== 'rpc') return false
  const risk = factsOfMethod(rpcMethodOf(params))?.risk
  return risk === undefined || risk === 'notSafe' || risk === 'composed'
}

function sends(method: HostMethod, params: unknown): boolean {
  if (method === 'pay') return true
  const facts = factsOfMethod(rpcMethodOf(params))
  return facts === undefined || facts.sends !== undefined
}

function rpcMethodOf(params: unknown): string {
  return typeof params === 'object' && params !== null ? String(Reflect.get(params, 'method')) : ''
}

function abortError(signal: AbortSignal | undefined): PosternError {
  return isPosternError(signal?.reason) ? signal.reason : requestFailure('ABORTED', signal?.reason)
}
