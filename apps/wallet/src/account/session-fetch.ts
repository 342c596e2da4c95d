import { ErrorBody } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Dpop } from './dpop'
import type { Session } from './session'

const paths: ReadonlySet<string> = new Set(['/v1/bundler', '/v1/paymaster'])

export type SessionFetchOptions = {
  readonly fetch: typeof fetch
  readonly dpop: Pick<Dpop, 'fetch'>
  readonly ownOrigin: string
  readonly session: Pick<Session, 'current' | 'lost'>
}

/**
 * `fetch` for the chains: proves the session in bundler and paymaster calls.
 *
 * 1. No other URL gets the token.
 * 2. Without a session, such a call is not sent: UNAUTHORIZED.
 * 3. If the gateway no longer knows the session or device, the session ends here too.
 */
export function createSessionFetch({ fetch, dpop, ownOrigin, session }: SessionFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== ownOrigin || !paths.has(url.pathname)) return fetch(input, init)
    const current = await session.current()
    if (current === null) throw new Failure('UNAUTHORIZED')
    const response = await dpop.fetch(url.href, init ?? {}, current)
    const failure = await sessionFailureOf(response)
    if (failure === null) return response
    await session.lost(current.token)
    throw new Failure(failure)
  }
}

async function sessionFailureOf(response: Response): Promise<'SESSION_EXPIRED' | 'DEVICE_REVOKED' | null> {
  if (response.status !== 401 && response.status !== 403) return null
  const body = ErrorBody.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  )
  const name = body.success ? body.data.reasons[0]?.name : undefined
  return name === 'SESSION_EXPIRED' || name === 'DEVICE_REVOKED' ? name : null
}
