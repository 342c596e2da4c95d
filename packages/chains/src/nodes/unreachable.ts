import type { Clock } from '@postern/base/clock'
import { type ErrorCode, errors, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { pause } from './poll-until'

const silent: ReadonlySet<ErrorCode> = new Set([
  'TIMEOUT',
  'NETWORK_UNREACHABLE',
  'BUNDLER_UNAVAILABLE',
  'WALLET_SERVICE_UNREACHABLE',
])

/** No readable answer, as opposed to the chain's error. The request may have arrived. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Failure && silent.has(error.code)
}

/** Not refused (4xx): asking again may help. */
export function mayAnswerLater(error: unknown): boolean {
  return isUnreachable(error) && !isRefused(error)
}

const Refused = z.object({ status: z.number().check(z.gte(400), z.lt(500)) })
/** Request Timeout, Too Early, Too Many Requests. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 425, 429])

/** Looks at causes too. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Failure)) return false
  const refused = Refused.safeParse(error.data)
  return (refused.success && !retryableStatuses.has(refused.data.status)) || isRefused(error.cause)
}

export function asUnreachable(thrown: unknown): Failure {
  return thrown instanceof Failure ? thrown : new Failure('NETWORK_UNREACHABLE', { cause: thrown })
}

export function unreadable({ status, headers, ok }: Response, otherFormat: string): Failure {
  if (status === tooManyRequests) return new RateLimited(Number(headers.get('retry-after') ?? Number.NaN))
  const message = ok ? otherFormat : status < 500 ? refused : errors.NETWORK_UNREACHABLE.message
  return new Failure('NETWORK_UNREACHABLE', { message, data: { status } })
}

const tooManyRequests = 429
const refused = 'The endpoint refused the request. Check its URL and key'

class RateLimited extends Failure {
  readonly retryAfterMs: number
  constructor(retryAfterSeconds: number) {
    super('NETWORK_UNREACHABLE', { data: { status: tooManyRequests } })
    this.retryAfterMs = retryAfterSeconds >= 0 ? retryAfterSeconds * 1_000 : Number.POSITIVE_INFINITY
  }
}

/** Asks once more after the Retry-After, max {@link limits.rpcTimeout}. */
export async function orAfterRateLimit<T>(
  ask: () => Promise<T>,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const waitMs = error instanceof RateLimited ? error.retryAfterMs : Number.POSITIVE_INFINITY
    if (waitMs > limits.rpcTimeout) throw error
    await pause(waitMs, clock, signal)
    return ask()
  }
}
