import type { Clock } from '@postern/base/clock'
import { type ErrorCode, isSendingRpcRequest } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Client } from '../client/client'
import type { ClientHolder } from '../client/client-holder'
import { requestExpiryMs } from '../client/earlier-requests'
import { toFailure } from '../failures'

export type WalletAsk = {
  readonly holder: ClientHolder
  readonly clock: Clock
  readonly topic: string
  readonly chainId: string
  readonly method: string
  readonly params: unknown
  readonly signals: readonly AbortSignal[]
}

/**
 * Sends a request over the session and waits for the wallet's user.
 *
 * 1. It settles once: with the wallet's result or failure, TIMEOUT after 5 min, DISCONNECTED when the session ends, or
 *    when a signal aborts. A sent payment without the wallet's answer or the relay's acknowledgement is
 *    OUTCOME_UNKNOWN: the wallet may still show it, or may have sent it. A PSBT that the wallet only signs is no
 *    payment: no one gets its signature then.
 * 2. A relay outage that ends before the timeout changes nothing: the relay stores the result.
 * 3. A later result goes to an equal request.
 * 4. If the wallet still shows an equal request that nothing waits for, that request is joined
 *    (`client/earlier-requests.ts`).
 */
export function askWallet(options: WalletAsk): Promise<unknown> {
  const { holder, clock, topic, signals } = options
  let answer: Promise<unknown> | null = null
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = []
    const finish = (settle: () => void) => {
      for (const stop of stops.splice(0)) stop()
      settle()
    }
    const fail = (thrown: unknown) => finish(() => reject(toFailure(thrown)))
    const failUnanswered = (failure: Failure) =>
      fail(answer !== null && sends(options) ? new Failure('OUTCOME_UNKNOWN', { cause: failure }) : failure)
    for (const signal of signals) {
      const abort = () => {
        if (answer !== null) holder.leaveRequest(options, answer)
        const { reason } = signal
        if (reason instanceof Failure && leavesWallet.has(reason.code)) failUnanswered(reason)
        else fail(reason instanceof Failure ? reason : new Failure('ABORTED', { cause: reason }))
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      stops.push(() => signal.removeEventListener('abort', abort))
    }
    stops.push(clock.after(requestExpiryMs, () => failUnanswered(new Failure('TIMEOUT'))))
    stops.push(
      holder.listen(topic, ({ kind }) => {
        if (kind === 'ended') failUnanswered(new Failure('DISCONNECTED'))
      }),
    )
    const send = async () => {
      const client = await holder.openFor(topic)
      if (!client.session.keys.includes(topic)) throw new Failure('DISCONNECTED')
      if (signals.some(({ aborted }) => aborted)) throw new Failure('ABORTED')
      answer = holder.takeEarlier(options) ?? ask(client, options)
      return answer
    }
    send().then(
      (result) => finish(() => resolve(result)),
      (thrown: unknown) => {
        const failure = toFailure(thrown)
        if (failure.code === 'TIMEOUT' || isUnacknowledged(thrown)) failUnanswered(failure)
        else fail(failure)
      },
    )
  })
}

/** Aborts that the dapp would take for a refused payment. The user's Cancel does not reach the wallet. */
const leavesWallet: ReadonlySet<ErrorCode> = new Set(['DISCONNECTED', 'USER_REJECTED'])

/** In the wallet's dialect, Bitcoin's methods have no prefix. */
const sends = ({ method, params }: WalletAsk) =>
  isSendingRpcRequest(method, params) || isSendingRpcRequest(`bip122_${method}`, params)

/** The relay may have delivered it. */
function isUnacknowledged(thrown: unknown): boolean {
  return thrown instanceof Error && /failed to publish/i.test(thrown.message)
}

function ask(client: Client, { topic, chainId, method, params }: WalletAsk): Promise<unknown> {
  return client.request<unknown>({ topic, chainId, request: { method, params }, expiry: requestExpiryMs / 1000 })
}
