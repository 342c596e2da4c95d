/**
 * Memory for large upstream responses, shared by all exchanges of the process.
 *
 * 1. A body up to `smallBytes` needs no memory of the budget.
 * 2. A larger one first reserves its limit as a whole, so that no two half-read bodies wait for each other. It waits
 *    its turn; meanwhile its upstream is not read.
 * 3. One caller has at most `perCaller` of the `total`, so that it cannot make others wait for its own responses. The
 *    gateway's own reads (caller '') are limited by `total` only.
 * 4. A reservation that cannot be had before its signal aborts is refused.
 */
export type ByteBudget = {
  readonly smallBytes: number
  /** Returns the release. Rejects with the signal's reason. */
  reserve(bytes: number, caller: string, signal: AbortSignal): Promise<() => void>
}

export type ByteBudgetOptions = {
  readonly smallBytes: number
  readonly total: number
  readonly perCaller: number
}

/** Four large responses at once, one per caller. Parsing takes several times as much. */
export const bytesInFlight: ByteBudgetOptions = { smallBytes: 262_144, total: 41_943_040, perCaller: 10_485_760 }

type Waiting = { readonly bytes: number; readonly caller: string; readonly start: () => void }

export function createByteBudget({ smallBytes, total, perCaller }: ByteBudgetOptions): ByteBudget {
  let used = 0
  const usedBy = new Map<string, number>()
  const queue = new Set<Waiting>()

  return {
    smallBytes,
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
          reject(signal.reason)
        }
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        queue.add(waiting)
        startNext()
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
