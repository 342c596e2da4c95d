import { Refusal, refusal } from './http'
import { type AllowedOrigins, askingOrigin } from './origins'
import { type Recheck, recheck } from './proofs'
import type { CheckedToken, Sessions } from './sessions'
import { type CookieOptions, cookieOf, notSignedIn, tokenOf } from './token'
import { isAllowedOn, type SignInRules } from './verify-sign-in'

/**
 * Returns the signed-in sessions of a request, for the dapp's own routes.
 *
 * ```ts
 * const { sessions } = await requireSession(request, { sessions: tokens, cookie: {}, origins: ['https://example.com'] })
 * ```
 *
 * @param options.cookie as for the handler
 * @param options.origins for a change with the token in a cookie. Rejects other pages, also on subdomains, which
 * `SameSite` allows
 * @param options.networks default: all
 * @param options.recheck for routes where a contract account that changed hands must not act. Costs a chain request
 * every `after` ms
 * @throws {Response} 401 without a session, 403 for another page, 503 if no session could be confirmed
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
    const checkedToken = token === null ? null : await sessions.check(token)
    const checked = networks === undefined ? checkedToken : onlyOn(networks, checkedToken)
    const proven = checked === null || how === undefined ? checked : await recheck(checked, { ...how, sessions })
    if (proven === null) throw notSignedIn()
    return proven
  } catch (error) {
    throw error instanceof Refusal ? refusal(error) : error
  }
}

function onlyOn(networks: SignInRules['networks'], checked: CheckedToken | null): CheckedToken | null {
  const sessions = checked?.sessions.filter(({ chainId }) => isAllowedOn(networks, chainId)) ?? []
  return sessions.length === 0 ? null : { sessions, expiresAt: Math.max(...sessions.map(({ expiresAt }) => expiresAt)) }
}
