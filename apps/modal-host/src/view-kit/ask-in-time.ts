import { deadline } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { MoneyHost } from '../snapshot/money'

/** How long a wallet may think about what it can do, in ms: one that does not know the question never answers, nor does a telephone that is switched off. */
export const patience = 3_000

/** Asks the EVM wallet. Rejects with TIMEOUT once `milliseconds` are over, and as `outer` ends: a wallet need not know of signals. */
export async function askInTime(
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
