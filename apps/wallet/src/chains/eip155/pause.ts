import { Failure } from '@postern/protocol/failure'

/** Settles after so many milliseconds; rejects with ABORTED as soon as the signal ends. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Failure('ABORTED'))
    const onAbort = () => {
      clearTimeout(timer)
      reject(new Failure('ABORTED'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
