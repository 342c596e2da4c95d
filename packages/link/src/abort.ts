import type { Clock } from '@postern/base/clock'
import { Failure } from '@postern/protocol/failure'

export function abortFailure(signal: AbortSignal): Failure {
  return signal.reason instanceof Failure ? signal.reason : new Failure('ABORTED', { cause: signal.reason })
}

export function onAbort(signal: AbortSignal | undefined, task: (failure: Failure) => void): () => void {
  if (signal === undefined) return () => {}
  const listener = () => task(abortFailure(signal))
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

/** Never if 0. */
export function onTimeout(clock: Clock, milliseconds: number, task: () => void): () => void {
  return milliseconds > 0 ? clock.after(milliseconds, task) : () => {}
}

/** Settles as `work`, or rejects when `signal` aborts. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, reject)
    work.then(resolve, reject).finally(release)
    if (signal?.aborted) reject(abortFailure(signal))
  })
}

export type Waiter = { resolve(): void; reject(failure: Failure): void }

/** Until the set's owner settles the waiter or `signal` aborts. */
export function waitIn(waiting: Set<Waiter>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      resolve: () => settle(resolve),
      reject: (failure) => settle(() => reject(failure)),
    }
    waiting.add(waiter)
    const release = onAbort(signal, waiter.reject)
    if (signal?.aborted) waiter.reject(abortFailure(signal))

    function settle(action: () => void): void {
      release()
      waiting.delete(waiter)
      action()
    }
  })
}
