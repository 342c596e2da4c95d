/**
 * The window's end of the link to the frame (`window-messages.ts`).
 *
 * 1. The hello goes only to frames of our own origin (the browser checks that), perhaps the opener itself. It is
 *    repeated until a frame accepts it, for at most `findTimeoutMs`.
 * 2. The window uses the first frame that answers the newest hello with a context of its purpose, and closes every
 *    other port: a frame drops the port of an earlier hello.
 * 3. Every ask settles (`createAsks`): by its answer, the end of the port, or `askTimeout`. A change without an answer
 *    may have happened ({@link Unanswered}).
 * 4. If the browser severed this window from its opener, that is detected at once.
 */

import { systemClock } from '@postern/base/clock'
import { createAsks, type Reply } from '@postern/link/ask'
import { isWithinBudget } from '@postern/link/budget'
import { offerPort } from '@postern/link/handshake'
import { openPort } from '@postern/link/port'
import { Failure } from '@postern/protocol/failure'
import {
  changingAsks,
  parseWindowAnswer,
  type WaitingApproval,
  type WindowAnswer,
  WindowApproval,
  type WindowAskAnswer,
  type WindowAskName,
  type WindowAskPayload,
  WindowBye,
  WindowContext,
  type WindowHello,
  type WindowPurpose,
  windowAsks,
} from '../window-messages'

export type FrameLink = {
  readonly context: WindowContext
  /** @throws {Failure} LINK_CLOSED if the frame is gone, or {@link Unanswered} */
  ask<N extends WindowAskName>(name: N, payload: WindowAskPayload<N>): Promise<WindowAskAnswer<N>>
  /** Null if no request waits. Called at once if known, and on change. Returns the unsubscribe. */
  onApproval(listener: (approval: WaitingApproval | null) => void): () => void
  readonly end: () => void
}

/** The change may have happened. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** Accessible from any origin. */
export type FrameTree = {
  readonly length: number
  readonly [index: number]: FrameTree
  postMessage(message: unknown, targetOrigin: string, transfer?: Transferable[]): void
}

export type FindOptions = {
  readonly opener: FrameTree | null
  readonly origin: string
  readonly projectId: string
  readonly purpose: WindowPurpose
  readonly ticket: string
  readonly wait: (milliseconds: number) => Promise<void>
}

export type Found = { readonly link: FrameLink } | { readonly failure: 'severed' | 'lost' }

/** In ms. Pauses double: the frame may still be opening the wallet. */
const [firstPause, findTimeoutMs, askTimeout] = [500, 20_000, 60_000]
/** In the modal, or one level deeper if the page opened the window. */
const maxDepth = 2
const maxFrames = 64

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
      for (const frame of [opener, ...framesOf(opener, maxDepth)].slice(0, maxFrames)) {
        const port = offerPort(frame, hello, origin)
        ports.add(port)
        port.onmessage = ({ data }) => {
          const context = isWithinBudget(data) ? WindowContext.safeParse(data).data : undefined
          if (isOver || mine !== knocks || context?.purpose !== purpose) return
          isOver = true
          ports.delete(port)
          port.onmessage = null
          resolve(openLink(port, context))
        }
      }
    }
    void (async () => {
      for (let pause = firstPause; !isOver && pause < findTimeoutMs; pause *= 2) {
        knock()
        await wait(pause)
      }
    })()
  })
  const given = wait(findTimeoutMs).then(() => null)
  const link = await Promise.race([found, given])
  isOver = true
  for (const port of ports) port.close()
  return link === null ? { failure: 'lost' } : { link }
}

function framesOf(window: FrameTree, depth: number): readonly FrameTree[] {
  const own = Array.from({ length: Math.min(window.length, maxFrames) }, (_, index) => window[index]).filter(
    (frame) => frame !== undefined,
  )
  return depth === 1 ? own : [...own, ...own.flatMap((frame) => framesOf(frame, depth - 1))]
}

function openLink(given: MessagePort, context: WindowContext): FrameLink {
  const asks = createAsks<WindowAnswer>(systemClock())
  const listeners = new Set<(approval: WaitingApproval | null) => void>()
  let latest: WindowApproval | null = null
  const port = openPort({
    port: given,
    codec: {
      parse: (data) =>
        parseWindowAnswer(data) ?? WindowApproval.safeParse(data).data ?? WindowBye.safeParse(data).data ?? null,
      parseHead: parseWindowAnswer,
    },
    onMessage(message) {
      if (message.kind === 'answer') return asks.receive(message.id, message)
      if (message.kind === 'bye') return end()
      latest = message
      for (const listener of [...listeners]) listener(message.approval)
    },
    onOversized: ({ id }) => asks.receiveOversized(id),
    // If it does not fire, the next ask times out.
    onClose: end,
  })

  function end(): void {
    const bye: WindowBye = { kind: 'bye' }
    port.post(bye)
    port.close()
    asks.end()
    listeners.clear()
  }

  return {
    context,
    end,
    onApproval(listener) {
      listeners.add(listener)
      if (latest !== null) listener(latest.approval)
      return () => listeners.delete(listener)
    },
    async ask(name, payload) {
      const id = crypto.randomUUID()
      let isSent = false
      const answer = asks.ask({
        id,
        timeoutMs: askTimeout,
        timeoutCode: 'LINK_CLOSED',
        send() {
          isSent = true
          port.post({ kind: 'ask', id, name, ...(payload !== undefined && { payload }) })
        },
        read: (answer) => readAnswer(name, answer),
      })
      return answer.catch((thrown: unknown) => {
        const isClosed = thrown instanceof Failure && thrown.code === 'LINK_CLOSED'
        throw isClosed && isSent && changingAsks.has(name) ? new Unanswered() : thrown
      })
    },
  }
}

function readAnswer<N extends WindowAskName>(name: N, answer: WindowAnswer): Reply<WindowAskAnswer<N>> {
  if (!answer.ok) return { ok: false, failure: new Failure(answer.code, { message: answer.message }) }
  const parsed = windowAsks[name].answer.safeParse(answer.payload)
  return parsed.success ? { ok: true, result: parsed.data } : { ok: false, failure: new Failure('INTERNAL') }
}
