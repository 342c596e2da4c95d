import { isWithinBudget } from '@postern/link/budget'
import {
  limits,
  parseWalletFrameNotice,
  parseWalletFrameReply,
  type WalletFrameMessage,
  type WalletFrameNotice,
  type WalletFramePayload,
  type WalletFrameRequestName,
  type WalletFrameSuccess,
  type WalletHello,
  walletFrameRequest,
  walletFrameRequests,
  walletKnock,
} from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { WalletFrameDom, WindowMessage } from './dom'
import { replyFailure } from './reply-failure'

/**
 * Heartbeat interval in ms while a request without a timeout is pending, and its max missed beats. Counted, because
 * time also passes while the machine sleeps.
 */
export const heartbeat = 5_000
export const mostMissedBeats = 3

export type AskWallet = <N extends WalletFrameRequestName>(
  name: N,
  payload: WalletFramePayload<N>,
  options?: { readonly signal?: AbortSignal; readonly id?: string },
) => Promise<WalletFrameSuccess<N>>

export type WalletFrame = {
  readonly ask: AskWallet
  onNotice(listener: (notice: WalletFrameNotice) => void): () => void
  /** The frame is gone or has reloaded. */
  onLost(listener: () => void): () => void
  end(): void
}

export type WalletFrameOptions = {
  readonly dom: WalletFrameDom
  readonly clock: Clock
  readonly randomId: () => string
  readonly origin: string
  readonly projectId: string
  /** EVM chain id to start on. */
  readonly chainId: () => number
  readonly enableLogger: boolean
  /** Sends the first requests each time the frame becomes ready. */
  readonly greet: (ask: AskWallet) => void
}

type Pending = {
  readonly isTimed: boolean
  /** Takes a message with this request's id. */
  take(data: unknown): void
  reject(failure: Failure): void
}

type Instance = {
  readonly frame: ReturnType<WalletFrameDom['add']>
  port: MessagePort | null
  isReady: boolean
  readonly waiting: Set<{ resolve(): void; reject(failure: Failure): void }>
  stopTimers: () => void
  missedBeats: number
}

/**
 * The modal's end of the embedded wallet's frame (interop §1).
 *
 * 1. The first request adds the frame to the page, once. Only a knock from that frame, at the wallet's origin, gets a
 *    response: a hello with a port, sent to that origin alone. From then on only messages on the port are read.
 * 2. The frame is ready 500 ms after it says so; earlier requests wait in order. If it is not ready within 20 s, they
 *    fail with IFRAME_LOAD_FAILED and the next request retries.
 * 3. Every request settles exactly once: by its reply, its timeout (IFRAME_REQUEST_TIMEOUT), its signal, or the end of
 *    the frame (LINK_CLOSED). Timeout and signal abort the request in the frame (RPC_ABORT).
 * 4. A reply is accepted only under the id and the name of its request. One that breaks its schema is INTERNAL;
 *    everything else is dropped.
 * 5. A frame is lost if it reloads, closes its port, or misses three beats while a request without a timeout is
 *    pending. All pending requests end, and the next request loads a fresh frame. There is no heartbeat while nothing
 *    is pending.
 * 6. After `end` no frame, timer or listener is left.
 */
export function createWalletFrame(options: WalletFrameOptions): WalletFrame {
  const { dom, clock, randomId, origin } = options
  const pending = new Map<string, Pending>()
  const noticeListeners = new Set<(notice: WalletFrameNotice) => void>()
  const lostListeners = new Set<() => void>()
  let current: Instance | null = null
  let stopBeat: (() => void) | null = null
  let isEnded = false

  const stopListening = dom.listen(onWindowMessage)

  function load(): Instance {
    const query = new URLSearchParams({
      projectId: options.projectId,
      chainId: String(options.chainId()),
      version: String(limits.walletSdkVersion),
      enableLogger: String(options.enableLogger),
    })
    const instance: Instance = {
      frame: dom.add(`${origin}/sdk?${query}`),
      port: null,
      isReady: false,
      waiting: new Set(),
      stopTimers: () => {},
      missedBeats: 0,
    }
    current = instance
    awaitReadiness(instance)
    return instance
  }

  function awaitReadiness(instance: Instance): void {
    instance.stopTimers()
    instance.isReady = false
    instance.stopTimers = clock.after(limits.iframeReadyTimeout, () =>
      drop(instance, new Failure('IFRAME_LOAD_FAILED')),
    )
  }

  /** 1: accepts the knock of its own frame only */
  function onWindowMessage(event: WindowMessage): void {
    const instance = current
    const target = instance?.frame.contentWindow() ?? null
    if (instance === null || target === null || !Object.is(event.source, target)) return
    if (event.origin !== origin || event.data !== walletKnock) return
    if (instance.port !== null) {
      instance.port.close()
      awaitReadiness(instance)
      lose()
    }
    const { port1, port2 } = new MessageChannel()
    instance.port = port1
    instance.missedBeats = 0
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (current === instance && instance.port === port1) onPortMessage(instance, data)
    })
    port1.addEventListener('close', () => {
      if (instance.port === port1) drop(instance, new Failure('LINK_CLOSED'))
    })
    port1.start()
    target.postMessage({ type: 'postern:wallet-hello', v: 1 } satisfies WalletHello, origin, [port2])
  }

  function onPortMessage(instance: Instance, data: unknown): void {
    instance.missedBeats = 0
    const id = idOf(data)
    if (!isWithinBudget(data)) {
      if (id !== null) pending.get(id)?.reject(new Failure('LIMIT_EXCEEDED'))
      return
    }
    if (id !== null) {
      pending.get(id)?.take(data)
      return
    }
    const notice = parseWalletFrameNotice(data)
    if (notice === null) return
    if (notice.name === 'READY') onReady(instance)
    for (const listener of [...noticeListeners]) listener(notice)
  }

  /** 2: sends the waiting requests after the delay */
  function onReady(instance: Instance): void {
    if (instance.isReady) return
    instance.stopTimers()
    instance.stopTimers = clock.after(limits.walletFrameReadyDelay, () => {
      if (instance.isReady) return
      instance.isReady = true
      options.greet((name, payload, given = {}) => send(instance, name, payload, given))
      for (const { resolve } of [...instance.waiting]) resolve()
    })
  }

  function whenReady(instance: Instance, signal: AbortSignal | undefined): Promise<void> {
    if (instance.isReady) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const settle = (action: () => void) => {
        instance.waiting.delete(waiter)
        signal?.removeEventListener('abort', onAbort)
        action()
      }
      const waiter = {
        resolve: () => settle(resolve),
        reject: (failure: Failure) => settle(() => reject(failure)),
      }
      const onAbort = () => waiter.reject(abortFailure(signal))
      instance.waiting.add(waiter)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** 3, 4: settles once, by a reply under its own id and name */
  function send<N extends WalletFrameRequestName>(
    instance: Instance,
    name: N,
    payload: WalletFramePayload<N>,
    { signal, id = randomId() }: { readonly signal?: AbortSignal; readonly id?: string },
  ): Promise<WalletFrameSuccess<N>> {
    return new Promise((resolve, reject) => {
      if (current !== instance) return reject(new Failure('LINK_CLOSED'))
      if (signal?.aborted) return reject(abortFailure(signal))
      const { timeout } = walletFrameRequests[name]
      const settle = (action: () => void) => {
        if (!pending.delete(id)) return
        stopTimer()
        signal?.removeEventListener('abort', onAbort)
        action()
      }
      const callOff = (failure: Failure) => {
        post(instance, walletFrameRequest(randomId(), 'RPC_ABORT', { id }))
        settle(() => reject(failure))
      }
      const onAbort = () => callOff(abortFailure(signal))
      const stopTimer =
        timeout > 0 ? clock.after(timeout, () => callOff(new Failure('IFRAME_REQUEST_TIMEOUT'))) : () => {}
      pending.set(id, {
        isTimed: timeout > 0,
        take(data) {
          const reply = parseWalletFrameReply(name, data)
          if (reply?.ok) settle(() => resolve(reply.payload))
          else if (reply !== null) settle(() => reject(replyFailure(reply)))
          else if (isReplyTo(name, data)) settle(() => reject(new Failure('INTERNAL')))
        },
        reject: (failure) => settle(() => reject(failure)),
      })
      signal?.addEventListener('abort', onAbort, { once: true })
      post(instance, walletFrameRequest(id, name, payload))
      if (timeout === 0) beat()
    })
  }

  function post(instance: Instance, message: WalletFrameMessage): void {
    instance.port?.postMessage(message)
  }

  function beat(): void {
    if (stopBeat !== null) return
    stopBeat = clock.after(heartbeat, () => {
      stopBeat = null
      const instance = current
      if (instance === null || [...pending.values()].every(({ isTimed }) => isTimed)) return
      if (instance.missedBeats >= mostMissedBeats) return drop(instance, new Failure('LINK_CLOSED'))
      instance.missedBeats += 1
      // Any reply is a sign of life.
      post(instance, walletFrameRequest(randomId(), 'GET_CHAIN_ID', undefined))
      beat()
    })
  }

  function lose(): void {
    for (const { reject } of [...pending.values()]) reject(new Failure('LINK_CLOSED'))
    for (const listener of [...lostListeners]) listener()
  }

  function drop(instance: Instance, failure: Failure): void {
    if (current !== instance) return
    current = null
    instance.stopTimers()
    stopBeat?.()
    stopBeat = null
    instance.port?.close()
    instance.port = null
    instance.frame.remove()
    for (const { reject } of [...instance.waiting]) reject(failure)
    lose()
  }

  return {
    async ask(name, payload, given = {}) {
      if (isEnded) throw new Failure('LINK_CLOSED')
      if (given.signal?.aborted) throw abortFailure(given.signal)
      const instance = current ?? load()
      await whenReady(instance, given.signal)
      return send(instance, name, payload, given)
    },
    onNotice(listener) {
      noticeListeners.add(listener)
      return () => void noticeListeners.delete(listener)
    },
    onLost(listener) {
      lostListeners.add(listener)
      return () => void lostListeners.delete(listener)
    },
    end() {
      isEnded = true
      stopListening()
      lostListeners.clear()
      if (current !== null) drop(current, new Failure('LINK_CLOSED'))
      noticeListeners.clear()
    },
  }
}

/** Null for notices, which have no id. */
function idOf(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
  return typeof id === 'string' ? id : null
}

function isReplyTo(name: WalletFrameRequestName, data: unknown): boolean {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined
  return type === `@w3m-frame/${name}_SUCCESS` || type === `@w3m-frame/${name}_ERROR`
}

function abortFailure(signal: AbortSignal | undefined): Failure {
  return signal?.reason instanceof Failure ? signal.reason : new Failure('ABORTED')
}
