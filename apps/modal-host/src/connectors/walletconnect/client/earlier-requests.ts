import * as z from 'zod/mini'
import type { Client } from './client'

export type SessionRequest = {
  readonly topic: string
  readonly chainId: string
  readonly method: string
  readonly params: unknown
}

export type EarlierRequests = {
  /** Takes over an equal request. Null without one. Rejects with the wallet's error. */
  take(request: SessionRequest): Promise<unknown> | null
  /** This frame no longer waits for the request. */
  leave(request: SessionRequest, answer: Promise<unknown>): void
}

/** The protocol's min (ms). */
export const requestExpiryMs = 300_000

/** In ms, as in the page's relay of its own wallets. */
const answerLifetimeMs = 20_000

const Asked = z.object({
  method: z.literal('wc_sessionRequest'),
  params: z.object({
    chainId: z.string(),
    /** In s. */
    request: z.object({ method: z.string(), params: z.unknown(), expiryTimestamp: z.number() }),
  }),
})

type HistoryRecord = Client['core']['history']['values'][number]
type Earlier = {
  readonly key: string
  /** Epoch ms. */
  expiresAt: number
  isTaken: boolean
  readonly answer: Promise<unknown>
}
type Unanswered = Earlier & { readonly settle: (response: NonNullable<HistoryRecord['response']>) => void }

/**
 * Requests that this frame, or an earlier frame or tab, no longer waits for. The wallet may still show them.
 *
 * 1. An equal request takes over an earlier one and gets its answer: a dapp that repeats its payment after a reload or
 *    a cancel does not cause a second payment. Each is taken over once: two equal pending payments are two payments.
 * 2. A request can be taken over until it expires, or for {@link answerLifetimeMs} after its answer. One that this
 *    frame left cannot once the wallet has refused it.
 *
 * @param client before its first request
 */
export function followEarlierRequests({ core: { history } }: Client, now: () => number): EarlierRequests {
  const earlier = new Map<number, Unanswered>()
  const left = new Set<Earlier>()
  /** Leaving a request again does not extend it. */
  const expiries = new WeakMap<Promise<unknown>, number>()
  const forgetExpired = () => {
    for (const one of left) if (one.expiresAt <= now()) left.delete(one)
  }
  for (const { id, topic, request, response } of history.values) {
    const parsed = Asked.safeParse(request)
    if (response === undefined && parsed.success) earlier.set(id, createEarlier(topic, parsed.data))
  }
  history.on('history_updated', ({ id, response }: HistoryRecord) => {
    const found = earlier.get(id)
    if (found === undefined || response === undefined) return
    found.expiresAt = now() + answerLifetimeMs
    found.settle(response)
  })

  return {
    take(request) {
      forgetExpired()
      const key = keyOf(request)
      const found = [...earlier.values(), ...left].find(
        (one) => one.key === key && !one.isTaken && one.expiresAt > now(),
      )
      if (found === undefined) return null
      found.isTaken = true
      left.delete(found)
      expiries.set(found.answer, found.expiresAt)
      return found.answer
    },
    leave(request, answer) {
      forgetExpired()
      const expiresAt = expiries.get(answer) ?? now() + requestExpiryMs
      const one: Earlier = { key: keyOf(request), expiresAt, isTaken: false, answer }
      left.add(one)
      answer.then(
        () => {
          one.expiresAt = now() + answerLifetimeMs
        },
        () => left.delete(one),
      )
    },
  }
}

function createEarlier(topic: string, { params: { chainId, request } }: z.infer<typeof Asked>): Unanswered {
  const { method, params, expiryTimestamp } = request
  let settle: Unanswered['settle'] = () => {}
  const answer = new Promise<unknown>((resolve, reject) => {
    settle = (response) => ('error' in response ? reject(response.error) : resolve(response.result))
  })
  answer.catch(() => {})
  const key = keyOf({ topic, chainId, method, params })
  return { key, expiresAt: expiryTimestamp * 1_000, isTaken: false, answer, settle }
}

function keyOf({ topic, chainId, method, params }: SessionRequest): string {
  return JSON.stringify([topic, chainId, method, params])
}
