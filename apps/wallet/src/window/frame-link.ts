/**
 * The window's end of the link to the frame (`embedded-wallet/window-messages.ts`).
 *
 * 1. The hello goes only to frames of our own origin: the browser checks the target's origin. It is repeated until a
 *    frame accepts it, because that frame may still be loading, for at most `patience`.
 * 2. The first frame that answers the newest hello with a context of our purpose is used; every other port is closed. A
 *    frame drops the port of an earlier hello, whose answer may still be in flight.
 * 3. From then on only the port is used. Every ask settles: by its answer, by the end of the port, or after
 *    `askTimeout`.
 * 4. If the browser severed this window from its opener, that is detected at once.
 */
import type { WalletWindowPurpose } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import {
  parseWindowAnswer,
  type WindowAskAnswer,
  type WindowAskName,
  type WindowAskPayload,
  type WindowBye,
  WindowContext,
  type WindowHello,
  windowAsks,
} from '../window-messages'

export type FrameLink = {
  readonly context: WindowContext
  /** Rejects with a `Failure`; LINK_CLOSED if the frame is gone. */
  ask<N extends WindowAskName>(name: N, payload: WindowAskPayload<N>): Promise<WindowAskAnswer<N>>
  readonly end: () => void
}

/** Accessible from any origin. */
export type FrameTree = {
  readonly length: number
  readonly [index: number]: FrameTree
  postMessage(message: unknown, targetOrigin: string, transfer?: Transferable[]): void
}

export type FindOptions = {
  /** Null if severed. */
  readonly opener: FrameTree | null
  readonly origin: string
  readonly projectId: string
  readonly purpose: WalletWindowPurpose
  readonly ticket: string
  readonly wait: (milliseconds: number) => Promise<void>
}

export type Found = { readonly link: FrameLink } | { readonly failure: 'severed' | 'lost' }

/** In ms. The frame may still be opening the wallet, so pauses double. */
const [firstPause, patience, askTimeout] = [500, 20_000, 60_000]
/** In the modal, or one level deeper if the page opened the window. */
const deepest = 2
/** Max frames to try. */
const mostFrames = 64

export async function findFrame(options: FindOptions): Promise<Found> {
  const { opener, origin, projectId, purpose, ticket, wait } = options
  if (opener === null) return { failure: 'severed' }
  const hello: WindowHello = { type: 'postern:window-hello', v: 1, projectId, purpose, ticket }
  const ports = new Set<MessagePort>()
  let isOver = false
  let knocks = 0

  const found = new Promise<FrameLink>((resolve) => {
    const knock = () => {
      knocks += 1
      const mine = knocks
      for (const frame of framesOf(opener, deepest).slice(0, mostFrames)) {
        const { port1, port2 } = new MessageChannel()
        ports.add(port1)
        port1.onmessage = ({ data }) => {
          const context = WindowContext.safeParse(data)
          if (isOver || mine !== knocks || !context.success || context.data.purpose !== purpose) return
          isOver = true
          ports.delete(port1)
          resolve(openLink(port1, context.data))
        }
        frame.postMessage(hello, origin, [port2])
      }
    }
    void (async () => {
      for (let pause = firstPause; !isOver && pause < patience; pause *= 2) {
        knock()
        await wait(pause)
      }
    })()
  })
  const given = wait(patience).then(() => null)
  const link = await Promise.race([found, given])
  isOver = true
  for (const port of ports) port.close()
  return link === null ? { failure: 'lost' } : { link }
}

function framesOf(window: FrameTree, depth: number): readonly FrameTree[] {
  const own = Array.from({ length: Math.min(window.length, mostFrames) }, (_, index) => window[index]).filter(
    (frame) => frame !== undefined,
  )
  return depth === 1 ? own : [...own, ...own.flatMap((frame) => framesOf(frame, depth - 1))]
}

function openLink(port: MessagePort, context: WindowContext): FrameLink {
  type Pending = { readonly settle: (data: unknown) => void; readonly fail: (failure: Failure) => void }
  const pending = new Map<string, Pending>()
  let isOpen = true

  port.onmessage = ({ data }) => {
    const answer = parseWindowAnswer(data)
    const waiting = answer === null ? undefined : pending.get(answer.id)
    if (answer === null || waiting === undefined) return
    pending.delete(answer.id)
    if (answer.ok) waiting.settle(answer.payload)
    else waiting.fail(new Failure(answer.code, { message: answer.message }))
  }
  const end = () => {
    if (!isOpen) return
    isOpen = false
    const bye: WindowBye = { kind: 'bye' }
    port.postMessage(bye)
    port.close()
    for (const { fail } of pending.values()) fail(new Failure('LINK_CLOSED'))
    pending.clear()
  }
  // Chromium 122+; elsewhere the next ask times out.
  port.addEventListener('close', end)

  return {
    context,
    end,
    ask(name, payload) {
      if (!isOpen) return Promise.reject(new Failure('LINK_CLOSED'))
      const id = crypto.randomUUID()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle(() => reject(new Failure('LINK_CLOSED'))), askTimeout)
        const settle = (how: () => void) => {
          clearTimeout(timer)
          pending.delete(id)
          how()
        }
        pending.set(id, {
          settle: (data) => {
            const answer = windowAsks[name].answer.safeParse(data)
            settle(() => (answer.success ? resolve(answer.data) : reject(new Failure('INTERNAL'))))
          },
          fail: (failure) => settle(() => reject(failure)),
        })
        port.postMessage({ kind: 'ask', id, name, ...(payload !== undefined && { payload }) })
      })
    },
  }
}
