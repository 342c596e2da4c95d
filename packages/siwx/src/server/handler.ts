import { isSameAccount } from '../account'
import type { SignatureVerifier } from '../verifiers/verifier'
import { type Signed, toAuthenticate, toSignOut } from './bodies'
import { answer, Refusal, readJson, refusal } from './http'
import type { Nonces } from './nonces'
import { type AllowedOrigins, askingOrigin, checkOrigins, corsHeaders, preflightHeaders } from './origins'
import { type ProofStore, type Recheck, recheck } from './proofs'
import { type CheckedToken, maxTokenLength, type ServerSession, type Sessions, sessionId } from './sessions'
import { type CookieOptions, clearCookie, cookieOf, maxCookieLength, notSignedIn, setCookie, tokenOf } from './token'
import { isAllowedOn, type SignInRefusal, type SignInRules, verifySignIn } from './verify-sign-in'

export type SiwxHandlerOptions = {
  /** Such as `/siwx`. */
  readonly basePath: string
  /** Pages that may send requests. */
  readonly origins: AllowedOrigins
  /** Default: the authority of the requesting page. */
  readonly domain?: SignInRules['domain'] | undefined
  /** Default: an http(s) URL on the message's domain, with the requesting page's scheme. */
  readonly uri?: SignInRules['uri']
  readonly networks: SignInRules['networks']
  /** One per namespace. */
  readonly verifiers: readonly SignatureVerifier[]
  readonly nonces: Nonces
  readonly sessions: Sessions
  /** Scripts cannot read the token. Default: in the body, for `Authorization: Bearer`. */
  readonly cookie?: CookieOptions | null | undefined
  /** `me` returns signatures and rechecks those of contracts. */
  readonly proofs?: ProofStore | undefined
  /** In ms. Default: five minutes. */
  readonly recheckAfter?: number | undefined
  /** Limits the cost of rechecks. Default: true. */
  readonly mayRecheck?: Recheck['mayAsk']
  /** In ms. Default: one minute. */
  readonly clockSkew?: number | undefined
  /** In ms. Default: the nonce's lifetime. */
  readonly maxAge?: number | undefined
  /** In bytes. Default: the general limit of 16,384 UTF-16 units. */
  readonly longestMessage?: number | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
  /** Gets internal errors. Default: the handler throws them. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Undefined for other paths. */
export type SiwxHandler = (request: Request) => Promise<Response | undefined>

const maxBodyBytes = 128 * 1024
/** Per user; rule 8 limits it too. */
const maxSessions = 16

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

type HandlerRequest = {
  readonly request: Request
  readonly origin: string | null
  readonly before: CheckedToken | null
}
type Answered = { readonly body: object; readonly cookie?: string | undefined }
type Route = {
  readonly method: 'GET' | 'POST'
  readonly run: (handlerRequest: HandlerRequest) => Promise<Answered>
}

/**
 * Creates a sign-in handler for Web-standard Request and Response.
 * Under `basePath`: `POST nonce`, `POST authenticate`, `GET me`, `POST sign-out`, `GET jwks.json`.
 *
 * 1. A change must come from an allowed origin. Other origins get no CORS header.
 * 2. The signed text is authoritative; `data` that differs is rejected.
 * 3. A user has one session per account and chain. A new sign-in replaces only that session.
 * 4. A wallet may sign in one account on several chains with one nonce (`wallet_authenticate`). One invalid signature
 *    rejects all.
 * 5. Signing out names account and chain. Without either, all sessions end.
 * 6. A signed-out session is revoked in every token that has it, including copies.
 * 7. No response says why something internal failed.
 * 8. If a token has no room, the oldest sessions are dropped without a proof; of those that begin together, the last.
 *    If no new session fits, the sign-in is rejected before any session ends.
 * 9. Sessions on a chain that no longer allows sign-in are ignored.
 */
export function createSiwxHandler(options: SiwxHandlerOptions): SiwxHandler {
  const { sessions, nonces, proofs, now = Date.now } = options
  const basePath = options.basePath.replace(/\/+$/, '')
  if (!/^(\/[\w.~-]+)*$/.test(basePath)) throw new TypeError('A base path looks like /siwx')
  checkOrigins(options.origins)
  if ([options.domain ?? []].flat().some((domain) => domain.includes('/')))
    throw new TypeError('A domain has no scheme')
  const cookie = options.cookie ? cookieOf(options.cookie) : null

  const canSignInOn = ({ chainId }: ServerSession) => isAllowedOn(options.networks, chainId)

  /** Rule 8. */
  async function issueToken(others: readonly ServerSession[], added: readonly ServerSession[] = []) {
    const order = [...others, ...added.toReversed()]
    for (let left = Math.max(0, order.length - maxSessions); left < order.length; left++) {
      const staying = order.slice(left)
      const remaining = [...others, ...added].filter((session) => staying.includes(session))
      const { token, expiresAt } = await sessions.issue(remaining)
      if (token.length > maxTokenLength) continue
      if (cookie === null) return { body: { token, expiresAt }, remaining }
      const header = setCookie(cookie, token, expiresAt, now())
      if (header.length <= maxCookieLength) return { body: { expiresAt }, cookie: header, remaining }
    }
    throw new Refusal(400, 'MALFORMED', 'The message is too long for a session')
  }

  /** Uses a shared nonce once. */
  async function verifyAll(all: readonly Signed[], origin: string | null): Promise<ServerSession[]> {
    const useNonce = oncePerNonce(nonces.use)
    const questions = { mayQueryChain: oncePerNonce(nonces.mayQueryChain), countRejection: nonces.countRejection }
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

  async function authenticate({ request, origin, before }: HandlerRequest): Promise<Answered> {
    const all = toAuthenticate(await readJson(request, maxBodyBytes))
    const added = await verifyAll(all, origin)
    const earlier = before?.sessions ?? []
    const isReplaced = (other: ServerSession) => added.some((session) => isSameAccount(other, session))
    const others = earlier.filter((other) => canSignInOn(other) && !isReplaced(other))
    const { remaining, body, cookie } = await issueToken(others, added)
    for (const [at, { message, signature }] of all.entries()) {
      const session = added[at]
      if (session === undefined || !remaining.includes(session)) continue
      const { contract, expiresAt } = session
      await proofs?.put(sessionId(session), { message, signature, contract, checkedAt: now() }, expiresAt)
    }
    await end(earlier.filter((other) => !remaining.includes(other)))
    const shown = added.filter((session) => remaining.includes(session))
    return { body: { ...body, session: shown[0], sessions: shown }, cookie }
  }

  async function me({ before }: HandlerRequest): Promise<Answered> {
    const here = before?.sessions.filter(canSignInOn) ?? []
    if (here.length === 0) throw notSignedIn()
    const checked = { sessions: here, expiresAt: Math.max(...here.map(({ expiresAt }) => expiresAt)) }
    if (proofs === undefined) return { body: { ...checked, now: now() } }
    const { verifiers, recheckAfter: after, mayRecheck: mayAsk } = options
    const proven = await recheck(checked, { sessions, proofs, verifiers, after, mayAsk, now })
    if (proven === null) throw notSignedIn()
    const withProofs = proven.sessions.map(async (session) => {
      const proof = await proofs.get(sessionId(session))
      return proof === null ? session : { ...session, message: proof.message, signature: proof.signature }
    })
    return { body: { sessions: await Promise.all(withProofs), expiresAt: proven.expiresAt, now: now() } }
  }

  async function signOut({ request, before }: HandlerRequest): Promise<Answered> {
    const account = toSignOut(await readJson(request, maxBodyBytes))
    const all = before?.sessions ?? []
    const ended = all.filter((session) => account === null || isSameAccount(session, account))
    await end(ended)
    const others = all.filter((session) => canSignInOn(session) && !ended.includes(session))
    if (others.length === 0) return { body: { sessions: [] }, cookie: cookie ? clearCookie(cookie) : undefined }
    const handed = await issueToken(others)
    return { body: { ...handed.body, sessions: handed.remaining }, cookie: handed.cookie }
  }

  const routes = new Map<string, Route>([
    ['nonce', { method: 'POST', run: async () => ({ body: { nonce: await nonces.create(), now: now() } }) }],
    ['authenticate', { method: 'POST', run: authenticate }],
    ['me', { method: 'GET', run: me }],
    ['sign-out', { method: 'POST', run: signOut }],
  ])

  async function respond(request: Request, route: Route) {
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

function oncePerNonce(ask: (nonce: string) => Promise<boolean>): (nonce: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>()
  return (nonce) => {
    const answer = answers.get(nonce) ?? ask(nonce)
    answers.set(nonce, answer)
    return answer
  }
}

/** Anyone may check tokens. */
async function publishKeys(request: Request, sessions: Sessions): Promise<Response> {
  const open = { 'access-control-allow-origin': '*' }
  if (request.method !== 'GET') return wrongMethod('GET', open)
  const response = answer(200, await sessions.jwks(), open)
  response.headers.set('cache-control', 'public, max-age=300')
  return response
}

const wrongMethod = (method: string, headers: Record<string, string>): Response =>
  refusal(new Refusal(405, 'METHOD_NOT_ALLOWED', `Only ${method} here`), { ...headers, allow: `${method}, OPTIONS` })
