/**
 * Memory for large upstream responses, shared by the process. Callers wait for it in turn.
 *
 * 1. A large body reserves all that it may need at once, and is not read on until then: no two half-read bodies wait
 *    for each other.
 * 2. A caller has at most `perCaller` of the `total`, so it cannot make others wait. The gateway's own reads (caller
 *    '') are limited by `total` only.
 * 3. A reservation is refused when its signal aborts, or beyond `maxWaiting`.
 */
export type ByteBudget = {
  /** @returns the release. @throws {BusyError} */
  reserve(bytes: number, caller: string, signal: AbortSignal): Promise<() => void>
}

export type ByteBudgetOptions = {
  readonly total: number
  readonly perCaller: number
  readonly maxWaiting: number
}

export class UpstreamsFailedError extends Error {
  override readonly name: string = 'UpstreamsFailedError'
}

/** No upstream failed; a later try may pass. */
export class BusyError extends UpstreamsFailedError {
  override readonly name = 'BusyError'
}

type Waiting = { readonly bytes: number; readonly caller: string; readonly start: () => void }

export function createByteBudget({ total, perCaller, maxWaiting }: ByteBudgetOptions): ByteBudget {
  let used = 0
  const usedBy = new Map<string, number>()
  const queue = new Set<Waiting>()

  return {
    reserve: (bytes, caller, signal) =>
      new Promise((resolve, reject) => {
        const waiting: Waiting = {
          bytes,
          caller,
          start() {
            signal.removeEventListener('abort', onAbort)
            resolve(take(bytes, caller))
          },
        }
        const onAbort = () => {
          queue.delete(waiting)
          reject(new BusyError('No memory in time'))
        }
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        queue.add(waiting)
        startNext()
        if (queue.size <= maxWaiting || !queue.delete(waiting)) return
        signal.removeEventListener('abort', onAbort)
        reject(new BusyError('Too many large responses wait'))
      }),
  }

  function take(bytes: number, caller: string): () => void {
    used += bytes
    usedBy.set(caller, (usedBy.get(caller) ?? 0) + bytes)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      used -= bytes
      const left = (usedBy.get(caller) ?? 0) - bytes
      if (left > 0) usedBy.set(caller, left)
      else usedBy.delete(caller)
      startNext()
    }
  }

  function startNext(): void {
    for (const waiting of queue) {
      const ofCaller = usedBy.get(waiting.caller) ?? 0
      // A body above a budget may be read alone.
      const fitsCaller = waiting.caller === '' || ofCaller === 0 || ofCaller + waiting.bytes <= perCaller
      const fits = used === 0 || used + waiting.bytes <= total
      if (!fits) return
      if (!fitsCaller) continue
      queue.delete(waiting)
      waiting.start()
    }
  }
}
