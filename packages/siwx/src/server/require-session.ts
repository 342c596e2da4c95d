import { Refusal, refusal } from './http'
import { type AllowedOrigins, askingOrigin } from './origins'
import { type Recheck, recheck } from './proofs'
import type { CheckedToken, Sessions } from './sessions'
import { type CookieOptions, cookieOf, notSignedIn, tokenOf } from './token'
import { isAllowedOn, type SignInRules } from './verify-sign-in'

/**
 * Who is signed in, for a route of the dapp's own.
 *
 * ```ts
 * const { sessions } = await requireSession(request, { sessions: tokens, cookie: {}, origins: ['https://example.com'] })
 * ```
 *
 * @param options.cookie as the handler has it
 * @param options.origins give them where the route changes something and the token is in a cookie: a request of another page is refused,
 *   subdomains of the same site too, which `SameSite` lets through
 * @param options.networks where visitors can sign in, as the handler has it: sessions on others, of earlier, are none. Absent: all that the token says
 * @param options.recheck asks contracts again, as the handler's `me` does, with the handler's proofs: for routes where a contract account that changed hands must
 *   not act until its session expires. Costs a look at the proofs, and a call to the chain when `after` passed. A chain that does not answer ends nothing, but
 *   what it did not confirm for half an hour is told to nobody
 * @throws {Response} 401 where nobody is, 403 for a page that may not ask, 503 where all that there is could not be confirmed
 */
export async function requireSession(
  request: Request,
  options: {
    readonly sessions: Pick<Sessions, 'check' | 'revoke'>
    readonly cookie?: CookieOptions | null | undefined
    readonly origins?: AllowedOrigins | undefined
    readonly networks?: SignInRules['networks'] | undefined
    readonly recheck?: Recheck | undefined
  },
): Promise<CheckedToken> {
  try {
    if (options.origins !== undefined) askingOrigin(request, options.origins)
    const token = tokenOf(request, options.cookie ? cookieOf(options.cookie) : null)
    const { sessions, networks, recheck: how } = options
    const told = token === null ? null : await sessions.check(token)
    const checked = networks === undefined ? told : onlyOn(networks, told)
    const proven = checked === null || how === undefined ? checked : await recheck(checked, { ...how, sessions })
    if (proven === null) throw notSignedIn()
    return proven
  } catch (error) {
    throw error instanceof Refusal ? refusal(error) : error
  }
}

function onlyOn(networks: SignInRules['networks'], told: CheckedToken | null): CheckedToken | null {
  const sessions = told?.sessions.filter(({ chainId }) => isAllowedOn(networks, chainId)) ?? []
  return sessions.length === 0 ? null : { sessions, expiresAt: Math.max(...sessions.map(({ expiresAt }) => expiresAt)) }
}
