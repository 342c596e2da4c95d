import type { Clock } from '@postern/base/clock'
import { limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'

/**
 * Polls until non-null, by default every 4 s (spec §9).
 *
 * 1. Rejects with TIMEOUT after 180 s; the transaction may still land.
 * 2. Tolerates 6 consecutive failures.
 * 3. Rejects with ABORTED when its signal aborts.
 */
export async function pollUntil<T>(
  poll: () => Promise<T | null>,
  {
    clock,
    signal,
    intervalMs = limits.rpcPollingInterval,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly intervalMs?: number },
): Promise<T> {
  const deadline = clock.now() + limits.receiptTimeout
  for (let failures = 0; ; ) {
    try {
      const result = await poll()
      if (signal.aborted) throw new Failure('ABORTED')
      if (result !== null) return result
      failures = 0
    } catch (error) {
      if (signal.aborted) throw new Failure('ABORTED', { cause: error })
      failures += 1
      if (failures > limits.receiptRetries) throw error
    }
    if (clock.now() + intervalMs > deadline) throw new Failure('TIMEOUT')
    await pause(intervalMs, clock, signal)
  }
}

export function pause(intervalMs: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new Failure('ABORTED'))
    const stop = clock.after(intervalMs, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    const onAbort = () => {
      stop()
      reject(new Failure('ABORTED'))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
