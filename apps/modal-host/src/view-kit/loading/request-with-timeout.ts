import { deadline } from '@postern/base/clock'
import { Failure } from '@postern/protocol/failure'
import type { MoneyHost } from '../../snapshot/money'

/** Wallets that do not know the method never respond. */
export const capabilitiesTimeoutMs = 3_000

/** Rejects with TIMEOUT, or when `outer` aborts: wallets may ignore signals. */
export async function requestWithTimeout(
  { request, clock }: Pick<MoneyHost, 'request' | 'clock'>,
  method: string,
  params: unknown,
  milliseconds: number,
  outer: AbortSignal | undefined,
): Promise<unknown> {
  const { signal, release } = deadline(clock, milliseconds, outer, () => new Failure('TIMEOUT'))
  try {
    return await new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      request('eip155', method, params, signal).then(resolve, reject)
    })
  } finally {
    release()
  }
}
