import type { Clock } from '@postern/base/clock'
import { abortFailure } from '@postern/link/abort'
import { createAsks, type Reply } from '@postern/link/ask'
import { offerPort } from '@postern/link/handshake'
import { type OpenPort, openPort } from '@postern/link/port'
import {
  limits,
  parseWalletFrameNotice,
  parseWalletFrameReply,
  type WalletFrameNotice,
  type WalletFramePayload,
  type WalletFrameRequestName,
  type WalletFrameSuccess,
  type WalletHello,
  walletFrameRequest,
  walletFrameRequests,
  walletKnock,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { FramePlace } from '../../../snapshot/frame-place'
import type { WalletFrameDom, WindowMessage } from './dom'
import { createFrameStart, type FrameStart } from './frame-start'
import { createHeartbeat } from './heartbeat'
import { replyFailure } from './reply-failure'

export type AskWallet = <N extends WalletFrameRequestName>(
  name: N,
  payload: WalletFramePayload<N>,
  options?: { readonly signal?: AbortSignal; readonly id?: string },
) => Promise<WalletFrameSuccess<N>>

export type WalletFrame = {
  readonly ask: AskWallet
  onNotice(listener: (notice: WalletFrameNotice) => void): () => void
  /** Like `ask`, if the frame is ready; it neither loads the frame nor reports an error. */
  readonly tell: <N extends WalletFrameRequestName>(name: N, payload: WalletFramePayload<N>) => void
  /** Null hides the frame. A lost frame is hidden. */
  place(place: FramePlace | null): void
  focus(): void
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
  readonly chainId: () => number
  readonly enableLogger: boolean
  /** Called each time the frame becomes ready. */
  readonly greet: (ask: AskWallet) => void
}

type Instance = {
  readonly frame: ReturnType<WalletFrameDom['add']>
  readonly start: FrameStart
  port: OpenPort | null
}

/**
 * The modal's end of the embedded wallet's frame (interop §1). `@postern/link` states the rules of every link.
 *
 * 1. The first request adds the frame. Only a knock from that frame, at the wallet's origin, gets a response: a hello
 *    with a port, sent to that origin alone. From then on only messages on the port are read.
 * 2. The frame is ready 500 ms after it says so; earlier requests wait in order. If it is not ready within 20 s, they
 *    fail with IFRAME_LOAD_FAILED and the next request retries.
 * 3. A timeout is IFRAME_REQUEST_TIMEOUT, a lost frame LINK_CLOSED. Timeout and signal abort the request in the frame.
 * 4. A reply must have the id and the name of its request. A reply that breaks its schema is INTERNAL; anything else is
 *    dropped.
 * 5. A frame is lost if it reloads, closes its port, or misses three beats while a request without a timeout is
 *    pending. All pending requests end; the next one loads a fresh frame.
 * 6. After `end` no frame, timer or listener is left.
 */
export function createWalletFrame(options: WalletFrameOptions): WalletFrame {
  const { dom, clock, randomId, origin } = options
  const asks = createAsks<unknown>(clock)
  const noticeListeners = new Set<(notice: WalletFrameNotice) => void>()
  const lostListeners = new Set<() => void>()
  let current: Instance | null = null
  let isEnded = false

  const heartbeat = createHeartbeat({
    clock,
    isNeeded: () => current !== null && asks.hasUntimed(),
    ping() {
      current?.port?.post(walletFrameRequest(randomId(), 'GET_CHAIN_ID', undefined))
    },
    onSilent() {
      if (current !== null) drop(current, new Failure('LINK_CLOSED'))
    },
  })

  const stopListening = dom.listen(onWindowMessage)

  function load(): Instance {
    const instance: Instance = {
      frame: dom.add(frameUrl(options)),
      start: createFrameStart({
        clock,
        onReady: () => options.greet((name, payload, askOptions = {}) => send(instance, name, payload, askOptions)),
        onTimeout: () => drop(instance, new Failure('IFRAME_LOAD_FAILED')),
      }),
      port: null,
    }
    current = instance
    instance.start.begin()
    return instance
  }

  /** Rule 1. */
  function onWindowMessage(event: WindowMessage): void {
    const instance = current
    const target = instance?.frame.contentWindow() ?? null
    if (instance === null || target === null || !Object.is(event.source, target)) return
    if (event.origin !== origin || event.data !== walletKnock) return
    if (instance.port !== null) {
      instance.port.close()
      instance.start.begin()
      lose()
    }
    heartbeat.heard()
    instance.port = openPort({
      port: offerPort(target, { type: 'postern:wallet-hello', v: 1 } satisfies WalletHello, origin),
      codec: { parse: withId, parseHead: withId },
      onMessage({ id, data }) {
        heartbeat.heard()
        if (id === null) onNotice(instance, data)
        else asks.receive(id, data)
      },
      onOversized({ id }) {
        heartbeat.heard()
        if (id !== null) asks.receiveOversized(id)
      },
      onClose: () => drop(instance, new Failure('LINK_CLOSED')),
    })
  }

  function onNotice(instance: Instance, data: unknown): void {
    const notice = parseWalletFrameNotice(data)
    if (notice === null) return
    if (notice.name === 'READY') instance.start.announced()
    for (const listener of [...noticeListeners]) listener(notice)
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
        instance.port?.post(walletFrameRequest(id, name, payload))
        if (timeout === 0) heartbeat.start()
      },
      sendCancel: () => instance.port?.post(walletFrameRequest(randomId(), 'RPC_ABORT', { id })),
      read: (data) => readReply(name, data),
    })
  }

  function lose(): void {
    asks.rejectAll(new Failure('LINK_CLOSED'))
    for (const listener of [...lostListeners]) listener()
  }

  function drop(instance: Instance, failure: Failure): void {
    if (current !== instance) return
    current = null
    heartbeat.stop()
    instance.port?.close()
    instance.port = null
    instance.frame.remove()
    instance.start.end(failure)
    lose()
  }

  return {
    async ask(name, payload, askOptions = {}) {
      if (isEnded) throw new Failure('LINK_CLOSED')
      const { signal } = askOptions
      if (signal?.aborted) throw abortFailure(signal)
      const instance = current ?? load()
      if (!instance.start.isReady()) await instance.start.ready(signal)
      return send(instance, name, payload, askOptions)
    },
    tell(name, payload) {
      if (current?.start.isReady()) send(current, name, payload, {}).catch(() => {})
    },
    place: (place) => current?.frame.place(place),
    focus: () => current?.frame.focus(),
    onNotice: (listener) => add(noticeListeners, listener),
    onLost: (listener) => add(lostListeners, listener),
    end() {
      isEnded = true
      stopListening()
      lostListeners.clear()
      if (current !== null) drop(current, new Failure('LINK_CLOSED'))
      noticeListeners.clear()
    },
  }
}

function add<T>(set: Set<T>, member: T): () => void {
  set.add(member)
  return () => void set.delete(member)
}

function frameUrl({ origin, projectId, chainId, enableLogger }: WalletFrameOptions): string {
  const query = new URLSearchParams({
    projectId,
    chainId: String(chainId()),
    version: String(limits.walletSdkVersion),
    enableLogger: String(enableLogger),
  })
  return `${origin}/sdk?${query}`
}

/** A notice has no id. The request with the id parses the data. */
function withId(data: unknown): { readonly id: string | null; readonly data: unknown } {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
  return { id: typeof id === 'string' ? id : null, data }
}

/** Rule 4. */
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
