import type { Envelope, HostMethod, HostParams, PageEvent } from '@postern/protocol'
import { failure, isPosternError, PosternError } from '../errors'
import { modalFailure } from '../modal/failures'
import { toLinkError } from '../modal/wallet-errors'
import { isEnvelope } from './guards'

/** What the link needs of a `MessagePort`. */
export type LinkPort = Pick<MessagePort, 'postMessage' | 'close' | 'onmessage' | 'addEventListener'>

export type Timers = {
  /** Calls back once after `delay` ms; returns what prevents it. */
  after(delay: number, callback: () => void): () => void
}

export type LinkOptions = {
  readonly timers: Timers
  /** A new unguessable id. */
  readonly randomId: () => string
  /** What the host asks of the page; throws or rejects with what is answered as an error. `signal` ends when the host cancels. */
  readonly serve: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>
  readonly onEvent: (event: string, data: unknown) => void
  /** The port closed from the other side: the frame went away. */
  readonly onLost: () => void
  /** A request waits and there is no port: the frame is needed. */
  readonly onWanted: () => void
}

export type Link = {
  /** Settles exactly once: result, error, abort, timeout, or `fail`. Waits in order while there is no port. */
  request<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown>
  /** Told to the host if there is one to tell; never waits. */
  emit(event: PageEvent, data: unknown): void
  /** Speaks over a new port: `init` first, then every unanswered request in order, under the id it always had. */
  attach(port: LinkPort, init: HostParams<'init'>): Promise<unknown>
  /** Forgets the port; unanswered requests wait for the next one. */
  detach(): void
  /** Settles everything that waits with this error. */
  fail(error: PosternError): void
  readonly attached: boolean
  /** How many requests of somebody are unanswered; those of the link itself (`init`, `ping`) do not count. */
  readonly waiting: number
}

type Pending = {
  readonly method: HostMethod
  readonly params: unknown
  readonly settle: (outcome: { result: unknown } | { error: PosternError }) => void
  /** Begins the method's timeout anew: time spent waiting for the frame is the frame's. */
  readonly sent: () => void
  /** The port that it was sent on is gone: it waits for the frame again. Whether it was sent on any. */
  readonly unsent: () => boolean
}

/** In ms, 0 where a person is being waited for. Held equal to the protocol's table by `link.test.ts`. */
export const timeouts: Readonly<Record<HostMethod, number>> = {
  init: 20_000,
  open: 10_000,
  close: 10_000,
  connect: 0,
  pay: 0,
  disconnect: 30_000,
  switchNetwork: 0,
  setTheme: 10_000,
  rpc: 0,
  peerChanged: 10_000,
  ping: 10_000,
  diagnose: 20_000,
}

/**
 * The page's end of the page link. It outlives ports: a frame that reloads gets a new port and the old requests.
 *
 * 1. Every request settles exactly once: by its result, a typed error, its `AbortSignal`, its timeout, or the end of the link. Abort and
 *    timeout tell the host to cancel, if it was told of the request.
 * 2. Requests made while there is no port wait, and are sent in the order in which they were made, after `init`.
 * 3. On a new port `init` is the first message. Then unanswered requests are sent again under the id they had; the host answers an id once.
 *    What signs, pays or sends is not: a wallet behind the host may have been asked already, and would do it twice. It is LINK_CLOSED.
 * 4. A message that is no envelope, an answer to no open request and a second answer are dropped.
 * 5. Messages of an earlier port do not count: its listener is gone before the next one is heard.
 * 6. Each request of the host is answered on the port on which it was asked, with plain data, unless that port is gone or the host cancelled.
 * 7. A timeout runs from when the request was last sent. Until then the frame's own readiness is what is being waited for.
 */
export function createLink({ timers, randomId, serve, onEvent, onLost, onWanted }: LinkOptions): Link {
  const pending = new Map<string, Pending>()
  let port: LinkPort | undefined
  let serving = new Map<string, AbortController>()

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
      function sent(): void {
        stopTimer()
        wasSent = true
        const timeout = timeouts[method]
        if (timeout > 0) stopTimer = timers.after(timeout, () => cancel(modalFailure('TIMEOUT')))
      }
      function unsent(): boolean {
        stopTimer()
        return wasSent
      }
      pending.set(id, { method, params, settle, sent, unsent })
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
      request.sent()
    } catch (cause) {
      // What cannot be cloned can never be sent.
      request.settle({ error: failure('INVALID_PARAMS', cause) })
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
    // What the link itself asked of this port has no one left to answer it, and what signs is asked once.
    for (const { method, params, settle, unsent } of [...pending.values()]) {
      const wasSent = unsent()
      if (isOwn(method) || (wasSent && isAskedOnce(method, params))) settle({ error: modalFailure('LINK_CLOSED') })
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
      const waiting = [...pending.keys()]
      port = next
      next.onmessage = ({ data }) => onMessage(next, data)
      // Browsers that have the event tell of a frame that crashed; elsewhere the next ping does.
      next.addEventListener('close', () => {
        if (next === port) {
          detach()
          onLost()
        }
      })
      const { id, answer } = add('init', init)
      for (const each of [id, ...waiting]) send(each)
      return answer
    },
    detach,
    fail(error) {
      for (const { settle } of [...pending.values()]) settle({ error })
    },
    get attached() {
      return port !== undefined
    },
    get waiting() {
      return [...pending.values()].filter(({ method }) => !isOwn(method)).length
    },
  }
}

/** Why a request of the host ended when the host itself went away; a cancel has the platform's own reason. */
export const hostGone = 'host gone'

/** What the link asks on its own account, of one port only. */
function isOwn(method: HostMethod): boolean {
  return method === 'init' || method === 'ping'
}

/** Methods that need the visitor's approval each time. Held equal to the protocol's list by `link.test.ts`. */
const approved =
  /^(personal_sign|eth_(signTypedData_v4|sendTransaction|sendUserOperation)|wallet_(sendCalls|(grant|revoke)Permissions)|solana_sign\w+|bip122_(sign\w+|sendTransfer))$/

function isAskedOnce(method: HostMethod, params: unknown): boolean {
  if (method === 'pay') return true
  if (method !== 'rpc' || typeof params !== 'object' || params === null) return false
  return approved.test(String(Reflect.get(params, 'method')))
}

function abortError(signal: AbortSignal | undefined): PosternError {
  return isPosternError(signal?.reason) ? signal.reason : modalFailure('ABORTED', signal?.reason)
}
