import {
  parseWalletFrameRequest,
  type WalletFrameNotice,
  type WalletFrameRequest,
  type WalletFrameRequestName,
  type WalletFrameSuccess,
  WalletHello,
  walletFrameNotice,
  walletFrameReply,
  walletKnock,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { FramePlace } from '../../../../snapshot/frame-place'
import { createWishes } from '../../../../testing/wishes'
import type { FrameTarget, WalletFrameDom, WindowMessage } from '../dom'

export const walletOrigin = 'http://wallet.postern.localhost:4400'

/** `undefined` succeeds, a thrown Failure is the error, `waits` never settles. */
export type FrameHandlers = {
  [N in WalletFrameRequestName]?: (payload: unknown, id: string) => WalletFrameSuccess<N> | typeof waits
}
export const waits = Symbol('waits')

type Loaded = {
  readonly src: string
  readonly target: FrameTarget
  readonly posted: { readonly message: unknown; readonly targetOrigin: string }[]
  port: MessagePort | null
  isRemoved: boolean
  readonly places: (FramePlace | null)[]
  focuses: number
}

/** A fake wallet frame that responds as the test says; with `isLively` it knocks and reports ready automatically. */
export function testFrame(handlers: FrameHandlers = {}, { isLively = true }: { isLively?: boolean } = {}) {
  const frames: Loaded[] = []
  const asked: WalletFrameRequest[] = []
  const listeners = new Set<(event: WindowMessage) => void>()
  const { until, look } = createWishes()
  let ready = 0

  const dom: WalletFrameDom = {
    add(src) {
      const frame: Loaded = {
        src,
        posted: [],
        port: null,
        isRemoved: false,
        places: [],
        focuses: 0,
        target: {
          postMessage(message, targetOrigin, transfer) {
            frame.posted.push({ message, targetOrigin })
            const [port] = transfer
            if (!WalletHello.safeParse(message).success || !(port instanceof MessagePort)) return
            frame.port = port
            port.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(frame, port, data))
            port.start()
            if (isLively) sayReady()
            look()
          },
        },
      }
      frames.push(frame)
      if (isLively) queueMicrotask(() => knock())
      look()
      return {
        contentWindow: () => (frame.isRemoved ? null : frame.target),
        place(place) {
          frame.places.push(place)
        },
        focus() {
          frame.focuses += 1
        },
        remove() {
          frame.isRemoved = true
          frame.port?.close()
          look()
        },
      }
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }

  function onMessage(frame: Loaded, port: MessagePort, data: unknown): void {
    const request = parseWalletFrameRequest(data)
    if (request === null || frame.port !== port) return
    asked.push(request)
    handle(request, request.name)
    look()
  }

  function handle<N extends WalletFrameRequestName>({ id, payload }: WalletFrameRequest, name: N): void {
    const handler = handlers[name]
    if (handler === undefined) {
      if (isTold(name)) current()?.port?.postMessage({ id, type: `@w3m-frame/${name}_SUCCESS` })
      return
    }
    try {
      const answer = handler(payload, id)
      if (answer !== waits) current()?.port?.postMessage(walletFrameReply(name, { id, ok: true, payload: answer }))
    } catch (thrown) {
      const { message, code } = thrown instanceof Failure ? thrown : new Failure('INTERNAL')
      current()?.port?.postMessage(walletFrameReply(name, { id, ok: false, message, code }))
    }
  }

  function current(): Loaded | undefined {
    return frames.findLast(({ isRemoved }) => !isRemoved)
  }

  /** Default: the frame's own knock. */
  function knock(changes: Partial<WindowMessage> = {}): void {
    const source = current()?.target ?? null
    const event = { source, origin: walletOrigin, data: walletKnock, ports: [], ...changes }
    for (const listener of [...listeners]) listener(Object.assign(new Event('message'), event) as never)
  }

  function say(notice: WalletFrameNotice): void {
    current()?.port?.postMessage(walletFrameNotice(notice))
  }

  function sayReady(): void {
    ready += 1
    say({ name: 'READY' })
  }

  return {
    dom,
    frames,
    asked,
    handlers,
    current,
    knock,
    say,
    sayReady,
    ready: () => ready,
    post: (data: unknown) => current()?.port?.postMessage(data),
    answer<N extends WalletFrameRequestName>(name: N, payload: WalletFrameSuccess<N>, id = last(name)): void {
      current()?.port?.postMessage(walletFrameReply(name, { id, ok: true, payload }))
    },
    refuse(name: WalletFrameRequestName, failure: Failure, id = last(name)): void {
      const { message, code, data } = failure
      const said = { message, code, ...(data !== undefined && { data }) }
      current()?.port?.postMessage(walletFrameReply(name, { id, ok: false, ...said }))
    },
    names: () => asked.map(({ name }) => name),
    count: (name: WalletFrameRequestName) => asked.filter((request) => request.name === name).length,
    payload: (name: WalletFrameRequestName) => asked.findLast((request) => request.name === name)?.payload,
    listenerCount: () => listeners.size,
    /** Checks the condition after everything that reaches the frame. */
    until,
    /** Resolves when all earlier messages have been received. */
    async heard(): Promise<void> {
      const { port1, port2 } = new MessageChannel()
      await new Promise((resolve) => {
        port1.addEventListener('message', resolve, { once: true })
        port1.start()
        port2.postMessage(null)
      })
      port1.close()
      port2.close()
    },
  }

  function last(name: WalletFrameRequestName): string {
    const request = asked.findLast((one) => one.name === name)
    if (request === undefined) throw new Error(`No request for ${name}`)
    return request.id
  }
}

/** Requests without a reply. */
function isTold(name: WalletFrameRequestName): boolean {
  return name === 'SYNC_THEME' || name === 'SYNC_DAPP_DATA' || name === 'SHOW_APPROVAL' || name === 'HIDE_APPROVAL'
}
