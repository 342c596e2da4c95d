import type { Clock } from '@postern/base/clock'
import type { ErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { abortFailure, onAbort, onTimeout } from './abort'

export type Reply<T> = { readonly ok: true; readonly result: T } | { readonly ok: false; readonly failure: Failure }

/** `Message`: messages that may answer it. */
export type Ask<T, Message> = {
  readonly id: string
  readonly signal?: AbortSignal | undefined
  /** 0: none. */
  readonly timeoutMs: number
  readonly timeoutCode: ErrorCode
  readonly send: () => void
  readonly sendCancel?: () => void
  /** Null if the message does not answer the request. */
  readonly read: (message: Message) => Reply<T> | null
}

export type Asks<Message> = {
  ask<T>(ask: Ask<T, Message>): Promise<T>
  receive(id: string, message: Message): void
  receiveOversized(id: string): void
  hasUntimed(): boolean
  rejectAll(failure: Failure): void
  /** Rejects open and later requests with LINK_CLOSED. */
  end(): void
}

type Open<Message> = {
  readonly isTimed: boolean
  receive(message: Message): void
  reject(failure: Failure): void
}

/**
 * The asking end of a link.
 *
 * 1. Every request settles exactly once: by its reply, its signal, its timeout, or the end of the link. It leaves no
 *    timer or listener.
 * 2. An abort or timeout cancels the request on the other side, once.
 * 3. A reply settles the open request with its id, if that request's `read` accepts it.
 * 4. An oversized reply rejects its request with LIMIT_EXCEEDED and is not parsed.
 * 5. A request is not sent if it is already aborted, comes after the end, or has the id of an open one.
 */
export function createAsks<Message>(clock: Clock): Asks<Message> {
  const open = new Map<string, Open<Message>>()
  let isEnded = false

  function ask<T>({ id, signal, timeoutMs, timeoutCode, send, sendCancel, read }: Ask<T, Message>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (isEnded) return reject(new Failure('LINK_CLOSED'))
      if (signal?.aborted) return reject(abortFailure(signal))
      if (open.has(id)) return reject(new Failure('INVALID_REQUEST'))

      const settle = (action: () => void) => {
        if (!open.delete(id)) return
        stopTimer()
        stopListening()
        action()
      }
      const cancel = (failure: Failure) => {
        sendCancel?.()
        settle(() => reject(failure))
      }
      const stopTimer = onTimeout(clock, timeoutMs, () => cancel(new Failure(timeoutCode)))
      const stopListening = onAbort(signal, cancel)
      open.set(id, {
        isTimed: timeoutMs > 0,
        receive(message) {
          const reply = read(message)
          if (reply?.ok) settle(() => resolve(reply.result))
          else if (reply !== null) settle(() => reject(reply.failure))
        },
        reject: (failure) => settle(() => reject(failure)),
      })
      try {
        send()
      } catch (thrown) {
        settle(() => reject(thrown))
      }
    })
  }

  function rejectAll(failure: Failure): void {
    for (const { reject } of [...open.values()]) reject(failure)
  }

  return {
    ask,
    receive: (id, message) => open.get(id)?.receive(message),
    receiveOversized: (id) => open.get(id)?.reject(new Failure('LIMIT_EXCEEDED')),
    hasUntimed: () => [...open.values()].some(({ isTimed }) => !isTimed),
    rejectAll,
    end() {
      isEnded = true
      rejectAll(new Failure('LINK_CLOSED'))
    },
  }
}
