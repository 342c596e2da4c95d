import { type Clock, deadline } from '@postern/base/clock'
import {
  ErrorBody,
  errors,
  fillText,
  fromServerMessage,
  type SignInCall,
  type WalletApiAnswer,
  type WalletApiBody,
  type WalletApiCall,
  type WalletApiFailure,
  walletApi,
  walletApiFailures,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'
import type { SessionKey, StoredSession } from '../window-messages'
import type { Dpop, Prover } from './dpop'

/** `retryAfter`: seconds. `triesLeft`: after a wrong code. Null if the gateway sends none. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly failure: WalletApiFailure | 'UNREACHABLE' | 'TIMEOUT' | 'UNKNOWN'
  readonly retryAfter: number | null
  readonly triesLeft: number | null
  constructor(failure: GatewayError['failure'], retryAfter: number | null = null, triesLeft: number | null = null) {
    super(failure)
    this.failure = failure
    this.retryAfter = retryAfter
    this.triesLeft = triesLeft
  }
}

/** Whether the failed call may have taken effect. */
export function isUncertain(thrown: unknown): boolean {
  return !(thrown instanceof GatewayError) || ['UNREACHABLE', 'TIMEOUT', 'UNKNOWN'].includes(thrown.failure)
}

export type Credentials = Pick<StoredSession, 'token' | 'key'>

export type Gateway = {
  /**
   * `session`: defaults to the signed-in user's at the time of sending.
   * @throws {GatewayError} @throws {Failure} ABORTED, ORIGIN_NOT_ALLOWED, INVALID_PROJECT_ID
   */
  call<C extends WalletApiCall>(
    name: C,
    body: WalletApiBody<C>,
    options?: { readonly signal?: AbortSignal; readonly session?: Credentials },
  ): Promise<WalletApiAnswer<C>>
  /** Signs in with a new key, to which the gateway binds the session. */
  signIn<C extends SignInCall>(
    name: C,
    body: WalletApiBody<C>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly answer: WalletApiAnswer<C>; readonly key: SessionKey }>
}

export type GatewayOptions = {
  readonly dpop: Dpop
  readonly clock: Clock
  readonly projectId: string
  readonly session: () => Promise<Credentials | null>
  /** `token`: of the refused call. */
  readonly onSessionLost: (failure: 'SESSION_EXPIRED' | 'DEVICE_REVOKED', token: string) => Promise<void>
}

const calls: {
  readonly [C in WalletApiCall]: {
    readonly path: string
    readonly session: boolean
    readonly answer: z.ZodMiniType<WalletApiAnswer<C>>
  }
} = walletApi

/** An email may take the gateway ten seconds; long polls return within 25 s. */
const callTimeoutMs = 20_000
const waitTimeout = 30_000
const waiting: ReadonlySet<WalletApiCall> = new Set<WalletApiCall>(['emailDevice', 'socialClaim', 'farcasterClaim'])

/**
 * The gateway client of the wallet's pages: JSON over POST on their own origin.
 *
 * 1. Every call settles: with its response, failure, signal or timeout.
 * 2. A response must match its schema.
 * 3. A call that needs a session is not sent without one, and proves its key.
 * 4. A thrown error has no code, token or address.
 */
export function createGateway({ dpop, clock, projectId, session: current, onSessionLost }: GatewayOptions): Gateway {
  async function send<C extends WalletApiCall>(
    name: C,
    body: WalletApiBody<C>,
    prover: Prover | null,
    signal: AbortSignal | undefined,
  ): Promise<WalletApiAnswer<C>> {
    const { path, answer } = calls[name]
    const time = waiting.has(name) ? waitTimeout : callTimeoutMs
    const limit = deadline(clock, time, signal, () => new GatewayError('TIMEOUT'))
    const init: RequestInit = {
      method: 'POST',
      signal: limit.signal,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    try {
      const response = await dpop.fetch(`${path}?projectId=${encodeURIComponent(projectId)}`, init, prover)
      if (!response.ok) throw await failureOf(response, clock)
      const parsed = answer.safeParse(await response.json())
      if (!parsed.success) throw new GatewayError('UNKNOWN')
      return parsed.data
    } catch (thrown) {
      throw toGatewayFailure(thrown, limit.signal)
    } finally {
      limit.release()
    }
  }

  return {
    async call(name, body, { signal, session: given } = {}) {
      if (!calls[name].session) return send(name, body, null, signal)
      const session = given ?? (await current())
      if (session === null) throw new GatewayError('SESSION_EXPIRED')
      try {
        return await send(name, body, session, signal)
      } catch (thrown) {
        const failure = thrown instanceof GatewayError ? thrown.failure : null
        if (failure === 'SESSION_EXPIRED' || failure === 'DEVICE_REVOKED') await onSessionLost(failure, session.token)
        throw thrown
      }
    },

    async signIn(name, body, { signal } = {}) {
      const key = await dpop.newKey()
      return { answer: await send(name, body, { key }, signal), key }
    },
  }
}

async function failureOf(response: Response, clock: Clock): Promise<GatewayError | Failure> {
  const body = ErrorBody.safeParse(await response.json().catch(() => null))
  const reason = body.success ? body.data.reasons[0] : undefined
  const named = walletApiFailures.find((name) => name === reason?.name)
  const retryAfter = numberIn(response, 'retry-after')
  if (named === 'RECOVERY_WAITING' || named === 'EMAIL_ON_HOLD') {
    const time = new Date(clock.now() + (retryAfter ?? 0) * 1000).toISOString()
    return new Failure(named, { message: fillText(errors[named].message, { time }) })
  }
  if (named !== undefined) return new GatewayError(named, retryAfter, numberIn(response, 'tries-left'))
  const serverCode = fromServerMessage(reason?.description ?? '')
  if (serverCode !== null) return new Failure(serverCode)
  if (response.status === 429) return new GatewayError('TOO_MANY_ATTEMPTS', retryAfter)
  return new GatewayError(response.status >= 500 ? 'UNREACHABLE' : 'UNKNOWN')
}

function numberIn({ headers }: Response, name: string): number | null {
  const value = Number(headers.get(name) ?? Number.NaN)
  return Number.isFinite(value) && value >= 0 ? Math.ceil(value) : null
}

function toGatewayFailure(thrown: unknown, signal: AbortSignal): GatewayError | Failure {
  if (thrown instanceof GatewayError || thrown instanceof Failure) return thrown
  if (signal.aborted) {
    const reason: unknown = signal.reason
    return reason instanceof GatewayError || reason instanceof Failure ? reason : new Failure('ABORTED')
  }
  return new GatewayError('UNREACHABLE')
}
