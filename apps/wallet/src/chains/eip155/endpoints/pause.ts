import { Failure } from '@postern/protocol/failure'

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
