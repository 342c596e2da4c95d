import { abortFailure, type Waiter, waitIn } from '@postern/link/abort'
import { createAsks, type Reply } from '@postern/link/ask'
import { offerPort } from '@postern/link/handshake'
import { type OpenPort, openPort } from '@postern/link/port'
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

type Instance = {
  readonly frame: ReturnType<WalletFrameDom['add']>
  port: OpenPort | null
  isReady: boolean
  readonly waiting: Set<Waiter>
  stopTimers: () => void
  missedBeats: number
}

/**
 * The modal's end of the embedded wallet's frame (interop §1). `@postern/link` states what holds for every link:
 * messages are measured and parsed first (`openPort`), and a request settles once (`createAsks`). Here:
 *
 * 1. The first request adds the frame to the page, once. Only a knock from that frame, at the wallet's origin, gets a
 *    response: a hello with a port, sent to that origin alone. From then on only messages on the port are read.
 * 2. The frame is ready 500 ms after it says so; earlier requests wait in order. If it is not ready within 20 s, they
 *    fail with IFRAME_LOAD_FAILED and the next request retries.
 * 3. A timeout is IFRAME_REQUEST_TIMEOUT, and a lost frame LINK_CLOSED. Timeout and signal abort the request in the
 *    frame (RPC_ABORT).
 * 4. A reply is accepted only under the id and the name of its request. One that breaks its schema is INTERNAL;
 *    everything else is dropped.
 * 5. A frame is lost if it reloads, closes its port, or misses three beats while a request without a timeout is
 *    pending. All pending requests end, and the next request loads a fresh frame. There is no heartbeat while nothing
 *    is pending.
 * 6. After `end` no frame, timer or listener is left.
 */
export function createWalletFrame(options: WalletFrameOptions): WalletFrame {
  const { dom, clock, randomId, origin } = options
  const asks = createAsks<unknown>(clock)
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
    instance.missedBeats = 0
    instance.port = openPort({
      port: offerPort(target, { type: 'postern:wallet-hello', v: 1 } satisfies WalletHello, origin),
      codec: { parse: withId, parseHead: withId },
      onMessage({ id, data }) {
        instance.missedBeats = 0
        if (id === null) onNotice(instance, data)
        else asks.receive(id, data)
      },
      onOversized({ id }) {
        instance.missedBeats = 0
        if (id !== null) asks.receiveOversized(id)
      },
      onClose: () => drop(instance, new Failure('LINK_CLOSED')),
    })
  }

  function onNotice(instance: Instance, data: unknown): void {
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

  function send<N extends WalletFrameRequestName>(
    instance: Instance,
    name: N,
    payload: WalletFramePayload<N>,
    { signal, id = randomId() }: { readonly signal?: AbortSignal; readonly id?: string },
  ): Promise<WalletFrameSuccess<N>> {
    if (current !== instance) return Promise.reject(new Failure('LINK_CLOSED'))
    const { timeout } = walletFrameRequests[name]
    return asks.ask<WalletFrameSuccess<N>>({
      id,
      signal,
      timeoutMs: timeout,
      timeoutCode: 'IFRAME_REQUEST_TIMEOUT',
      send() {
        post(instance, walletFrameRequest(id, name, payload))
        if (timeout === 0) beat()
      },
      sendCancel: () => post(instance, walletFrameRequest(randomId(), 'RPC_ABORT', { id })),
      read: (data) => readReply(name, data),
    })
  }

  function post(instance: Instance, message: WalletFrameMessage): void {
    instance.port?.post(message)
  }

  function beat(): void {
    if (stopBeat !== null) return
    stopBeat = clock.after(heartbeat, () => {
      stopBeat = null
      const instance = current
      if (instance === null || !asks.hasUntimed()) return
      if (instance.missedBeats >= mostMissedBeats) return drop(instance, new Failure('LINK_CLOSED'))
      instance.missedBeats += 1
      // Any reply is a sign of life.
      post(instance, walletFrameRequest(randomId(), 'GET_CHAIN_ID', undefined))
      beat()
    })
  }

  function lose(): void {
    asks.rejectAll(new Failure('LINK_CLOSED'))
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
      if (!instance.isReady) await waitIn(instance.waiting, given.signal)
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

/** Notices have no id. The rest is parsed by the request with the id, or as a notice. */
function withId(data: unknown): { readonly id: string | null; readonly data: unknown } {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
  return { id: typeof id === 'string' ? id : null, data }
}

/** 4: a reply under another name is dropped; one that breaks its schema is INTERNAL */
function readReply<N extends WalletFrameRequestName>(name: N, data: unknown): Reply<WalletFrameSuccess<N>> | null {
  const reply = parseWalletFrameReply(name, data)
  if (reply?.ok) return { ok: true, result: reply.payload }
  if (reply !== null) return { ok: false, failure: replyFailure(reply) }
  return isReplyTo(name, data) ? { ok: false, failure: new Failure('INTERNAL') } : null
}

function isReplyTo(name: WalletFrameRequestName, data: unknown): boolean {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined
  return type === `@w3m-frame/${name}_SUCCESS` || type === `@w3m-frame/${name}_ERROR`
}
