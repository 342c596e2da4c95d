import { isSameAccount } from '../account'
import type { SignatureVerifier } from '../verifiers/verifier'
import { type Signed, toAuthenticate, toSignOut } from './bodies'
import { answer, Refusal, readJson, refusal } from './http'
import type { Nonces } from './nonces'
import { type AllowedOrigins, askingOrigin, checkOrigins, corsHeaders, preflightHeaders } from './origins'
import { type ProofStore, type Recheck, recheck } from './proofs'
import { type CheckedToken, longestToken, type ServerSession, type Sessions, sessionId } from './sessions'
import { type CookieOptions, clearCookie, cookieOf, longestCookie, notSignedIn, setCookie, tokenOf } from './token'
import { isAllowedOn, type SignInRefusal, type SignInRules, verifySignIn } from './verify-sign-in'

/** What {@link createSiwxHandler} takes. Times are ms. */
export type SiwxHandlerOptions = {
  /** Where its routes are: `/siwx`. */
  readonly basePath: string
  /** Pages that may ask. */
  readonly origins: AllowedOrigins
  /** Authorities for which a sign-in is good. Absent: the one of the page that asks. */
  readonly domain?: SignInRules['domain'] | undefined
  /** The message's URI. Absent: an http(s) URL on the message's own domain, of the same scheme as the page that asks. */
  readonly uri?: SignInRules['uri']
  /** Where visitors can sign in. A session on a chain that is no longer among them is none. */
  readonly networks: SignInRules['networks']
  /** One for each namespace. */
  readonly verifiers: readonly SignatureVerifier[]
  readonly nonces: Nonces
  readonly sessions: Sessions
  /** The token in a cookie that no script reads. Absent or null: in the answers' body, to come back as `Authorization: Bearer`. */
  readonly cookie?: CookieOptions | null | undefined
  /** Keeps signatures, so that `me` answers with them and looks at contracts' signatures again. Absent: neither. */
  readonly proofs?: ProofStore | undefined
  /** After how long `me` looks again, ms. Default five minutes. */
  readonly recheckAfter?: number | undefined
  /** Asked before `me` looks again at a contract's signature: bounds what that costs. Where it says no, the session is treated as where its chain does not answer. Absent: always. */
  readonly mayRecheck?: Recheck['mayAsk']
  /** How far the visitor's clock may be from this one, ms. Default one minute. */
  readonly clockSkew?: number | undefined
  /** How long ago a message may have been issued, ms. Absent: as long as its nonce is good. */
  readonly maxAge?: number | undefined
  /** Bytes of a message. Default 16,384 UTF-16 units. */
  readonly longestMessage?: number | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
  /** What went wrong inside (a store that is down, say); the visitor learns only that something did. Absent: it is thrown. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** @returns undefined for a path that is not one of its own */
export type SiwxHandler = (request: Request) => Promise<Response | undefined>

/** Bytes. A message and a signature of the longest kind fit. */
const longestBody = 128 * 1024
/** Of one visitor. When there are more, or the token would be too long to be taken back, or its cookie for browsers, sessions leave: rule 8. */
const mostSessions = 16

const statusOf: Readonly<Record<SignInRefusal, number>> = {
  MALFORMED: 400,
  DOMAIN_MISMATCH: 403,
  URI_MISMATCH: 403,
  CHAIN_NOT_ALLOWED: 403,
  NONCE_INVALID: 401,
  EXPIRED: 401,
  NOT_YET_VALID: 401,
  TOO_OLD: 401,
  SIGNATURE_INVALID: 401,
  UNVERIFIABLE: 503,
}

/**
 * Sign-in with wallet for a server, by Web-standard Request and Response: `POST nonce`, `POST authenticate`, `GET me`, `POST sign-out` and
 * `GET jwks.json` under `basePath`.
 *
 * 1. Whatever changes something has to come from an allowed origin; others get no CORS header either.
 * 2. What was signed is believed; `data` that says something else is refused.
 * 3. A visitor's sessions are one for each account and chain. Signing in again replaces the account's, and adds to the others.
 * 4. A wallet may sign in one account on several chains at once, with one nonce (`wallet_authenticate`): all that was signed has to be good, or none of it is.
 * 5. Signing out of one account on one chain leaves the others; both have to match. Without either, everything ends.
 * 6. What was signed out of is revoked wherever it is written, so that copies of a token end too.
 * 7. No answer says why something inside failed.
 * 8. Where a token has no room for all sessions, the oldest leave first, and of those that begin together the last. What has no room is not told and has no proof.
 *    A sign-in of which not one session fits is refused, before anything of what there was ends.
 * 9. A session on a chain where nobody can sign in any more is none: `me` does not tell it, and the next token does not carry it.
 */
export function createSiwxHandler(options: SiwxHandlerOptions): SiwxHandler {
  const { sessions, nonces, proofs, now = Date.now } = options
  const basePath = options.basePath.replace(/\/+$/, '')
  if (!/^(\/[\w.~-]+)*$/.test(basePath)) throw new TypeError('A base path looks like /siwx')
  checkOrigins(options.origins)
  if ([options.domain ?? []].flat().some((domain) => domain.includes('/')))
    throw new TypeError('A domain has no scheme')
  const cookie = options.cookie ? cookieOf(options.cookie) : null

  type Asked = { readonly request: Request; readonly origin: string | null; readonly before: CheckedToken | null }
  type Answered = { readonly body: object; readonly cookie?: string | undefined }

  const canSignInOn = ({ chainId }: ServerSession) => isAllowedOn(options.networks, chainId)

  /** A token for these sessions as the answer carries it, and those that it has room for. @see rule 8 */
  async function handOver(others: readonly ServerSession[], begun: readonly ServerSession[] = []) {
    // The first to leave come first.
    const order = [...others, ...begun.toReversed()]
    for (let left = Math.max(0, order.length - mostSessions); left < order.length; left++) {
      const staying = order.slice(left)
      const kept = [...others, ...begun].filter((session) => staying.includes(session))
      const { token, expiresAt } = await sessions.issue(kept)
      if (token.length > longestToken) continue
      if (cookie === null) return { body: { token, expiresAt }, kept }
      const written = setCookie(cookie, token, expiresAt, now())
      if (written.length <= longestCookie) return { body: { expiresAt }, cookie: written, kept }
    }
    throw new Refusal(400, 'MALFORMED', 'The message is too long for a session')
  }

  /** Verifies them one by one, with a nonce that is used once for all of them. */
  async function verifyAll(all: readonly Signed[], origin: string | null): Promise<ServerSession[]> {
    const useNonce = oncePerNonce(nonces.use)
    const questions = { mayAsk: oncePerNonce(nonces.mayAsk), wasWrong: nonces.wasWrong }
    const verified: ServerSession[] = []
    for (const signed of all) {
      const domain = options.domain ?? new URL(origin ?? '').host
      const asking = { domain, origin: origin ?? undefined }
      const rules = { ...options, ...asking, checkNonce: nonces.check, useNonce, questions }
      const outcome = await verifySignIn(signed, rules)
      if (!outcome.ok) throw new Refusal(statusOf[outcome.reason], outcome.reason, outcome.description)
      verified.push(sessions.begin(outcome.data, outcome.contract))
    }
    const [first] = verified
    for (const [at, { nonce, address, chainId }] of verified.entries())
      if (
        nonce !== first?.nonce ||
        address !== first.address ||
        verified.findIndex((one) => one.chainId === chainId) < at
      )
        throw new Refusal(400, 'MALFORMED', 'Only one account can sign in at once, once on each chain, with one nonce')
    return verified
  }

  async function end(ended: readonly ServerSession[]): Promise<void> {
    await sessions.revoke(ended)
    for (const session of ended) await proofs?.remove(sessionId(session))
  }

  async function authenticate({ request, origin, before }: Asked): Promise<Answered> {
    const all = toAuthenticate(await readJson(request, longestBody))
    const begun = await verifyAll(all, origin)
    const earlier = before?.sessions ?? []
    const isReplaced = (other: ServerSession) => begun.some((session) => isSameAccount(other, session))
    const others = earlier.filter((other) => canSignInOn(other) && !isReplaced(other))
    const { kept, body, cookie } = await handOver(others, begun)
    for (const [at, { message, signature }] of all.entries()) {
      const session = begun[at]
      if (session === undefined || !kept.includes(session)) continue
      const { contract, expiresAt } = session
      await proofs?.put(sessionId(session), { message, signature, contract, checkedAt: now() }, expiresAt)
    }
    await end(earlier.filter((other) => !kept.includes(other)))
    const told = begun.filter((session) => kept.includes(session))
    return { body: { ...body, session: told[0], sessions: told }, cookie }
  }

  async function me({ before }: Asked): Promise<Answered> {
    const here = before?.sessions.filter(canSignInOn) ?? []
    if (here.length === 0) throw notSignedIn()
    const checked = { sessions: here, expiresAt: Math.max(...here.map(({ expiresAt }) => expiresAt)) }
    if (proofs === undefined) return { body: checked }
    const { verifiers, recheckAfter: after, mayRecheck: mayAsk } = options
    const proven = await recheck(checked, { sessions, proofs, verifiers, after, mayAsk, now })
    if (proven === null) throw notSignedIn()
    const withProofs = proven.sessions.map(async (session) => {
      const proof = await proofs.get(sessionId(session))
      return proof === null ? session : { ...session, message: proof.message, signature: proof.signature }
    })
    return { body: { sessions: await Promise.all(withProofs), expiresAt: proven.expiresAt } }
  }

  async function signOut({ request, before }: Asked): Promise<Answered> {
    const account = toSignOut(await readJson(request, longestBody))
    const all = before?.sessions ?? []
    const ended = all.filter((session) => account === null || isSameAccount(session, account))
    await end(ended)
    const others = all.filter((session) => canSignInOn(session) && !ended.includes(session))
    if (others.length === 0) return { body: { sessions: [] }, cookie: cookie ? clearCookie(cookie) : undefined }
    const handed = await handOver(others)
    return { body: { ...handed.body, sessions: handed.kept }, cookie: handed.cookie }
  }

  const routes = new Map<string, { method: 'GET' | 'POST'; run: (asked: Asked) => Promise<Answered> }>([
    ['nonce', { method: 'POST', run: async () => ({ body: { nonce: await nonces.create() } }) }],
    ['authenticate', { method: 'POST', run: authenticate }],
    ['me', { method: 'GET', run: me }],
    ['sign-out', { method: 'POST', run: signOut }],
  ])

  async function respond(request: Request, route: { method: string; run: (asked: Asked) => Promise<Answered> }) {
    let headers: Record<string, string> = corsHeaders(null, false)
    try {
      const origin = askingOrigin(request, options.origins)
      headers = corsHeaders(origin, cookie !== null)
      if (request.method === 'OPTIONS')
        return new Response(null, { status: 204, headers: { ...headers, ...preflightHeaders } })
      if (request.method !== route.method) return wrongMethod(route.method, headers)
      const token = tokenOf(request, cookie)
      const before = token === null ? null : await sessions.check(token)
      const answered = await route.run({ request, origin, before })
      return answer(200, answered.body, { ...headers, ...(answered.cookie && { 'set-cookie': answered.cookie }) })
    } catch (error) {
      if (error instanceof Refusal) return refusal(error, headers)
      if (options.onError === undefined) throw error
      options.onError(error)
      return refusal(new Refusal(500, 'INTERNAL', 'Something went wrong'), headers)
    }
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(`${basePath}/`)) return undefined
    const name = pathname.slice(basePath.length + 1)
    if (name === 'jwks.json') return publishKeys(request, sessions)
    const route = routes.get(name)
    return route && respond(request, route)
  }
}

/** What a request asks about a nonce it asks once, however many messages have it. */
function oncePerNonce(ask: (nonce: string) => Promise<boolean>): (nonce: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>()
  return (nonce) => {
    const answer = answers.get(nonce) ?? ask(nonce)
    answers.set(nonce, answer)
    return answer
  }
}

/** Open to everybody: public keys for whoever checks tokens. */
async function publishKeys(request: Request, sessions: Sessions): Promise<Response> {
  const open = { 'access-control-allow-origin': '*' }
  if (request.method !== 'GET') return wrongMethod('GET', open)
  const response = answer(200, await sessions.jwks(), open)
  response.headers.set('cache-control', 'public, max-age=300')
  return response
}

const wrongMethod = (method: string, headers: Record<string, string>): Response =>
  refusal(new Refusal(405, 'METHOD_NOT_ALLOWED', `Only ${method} here`), { ...headers, allow: `${method}, OPTIONS` })
