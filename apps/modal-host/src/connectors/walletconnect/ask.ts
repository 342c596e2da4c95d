import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { ClientHolder } from './client-holder'
import { toFailure } from './failures'

/** The protocol's own time for a request; seconds, and the least that it allows. */
const expiry = 300

export type WalletQuestion = {
  readonly holder: ClientHolder
  readonly clock: Clock
  readonly topic: string
  readonly chainId: string
  readonly method: string
  readonly params: unknown
  /** Any of them ends the wait. */
  readonly signals: readonly AbortSignal[]
}

/**
 * Sends a request over the session and waits for its owner.
 *
 * 1. It settles once: with the wallet's answer, its failure, TIMEOUT after 5 min, DISCONNECTED when the session ends, or as a signal says.
 * 2. A relay that is lost meanwhile changes nothing as long as it is back in time: the answer waits there.
 * 3. What the wallet answers after that is nobody's.
 */
export function askWallet(question: WalletQuestion): Promise<unknown> {
  const { holder, clock, topic, signals } = question
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = []
    const finish = (settle: () => void) => {
      for (const stop of stops.splice(0)) stop()
      settle()
    }
    const fail = (thrown: unknown) => finish(() => reject(toFailure(thrown)))
    for (const signal of signals) {
      const abort = () =>
        fail(signal.reason instanceof Failure ? signal.reason : new Failure('ABORTED', { cause: signal.reason }))
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      stops.push(() => signal.removeEventListener('abort', abort))
    }
    stops.push(clock.after(expiry * 1000, () => fail(new Failure('TIMEOUT'))))
    stops.push(
      holder.listen(topic, ({ kind }) => {
        if (kind === 'ended') fail(new Failure('DISCONNECTED'))
      }),
    )
    send(question).then((result) => finish(() => resolve(result)), fail)
  })
}

async function send({ holder, topic, chainId, method, params }: WalletQuestion): Promise<unknown> {
  const client = await holder.openFor(topic)
  if (!client.session.keys.includes(topic)) throw new Failure('DISCONNECTED')
  return client.request<unknown>({ topic, chainId, request: { method, params }, expiry })
}
