/**
 * Wallet sign-in for dapps without a server: `/v1/siwx/…`, and the keys that verify its tokens.
 *
 * 1. Only pages of the project's origins may call and read the responses (CORS).
 * 2. A message's domain and URI are the calling page's origin; other origins of the project reject it.
 * 3. A token is for one project (`iss`) and one origin (`aud`): anyone can have a page on the preview hosts that
 *    projects allow by default.
 * 4. Tokens come only as `Authorization: Bearer`, not as cookies: the pages are cross-site.
 * 5. Without `Origin` (a server checks a token) the token's audience applies, if the project allows it.
 * 6. Calls count per caller and project: a chain check during sign-in 50, `me` one. Checks by `me` have their own
 *    limit; over it, contract sessions stay valid for half an hour.
 * 7. Visitors sign in on those chains of the project that the gateway knows. Sessions on others are ignored.
 */

import { createSiwxHandler } from '@postern/siwx/server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { decodeJwt } from 'jose'
import { limitBody } from '../../platform/http/body-limit'
import { serveOperation } from '../../platform/http/operation'
import { problem } from '../../platform/http/problem'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'
import type { Upstreams } from '../../platform/upstreams/rpc'
import { type CallerEnv, requireProject } from '../../projects/caller'
import { type CallerLimit, type CallRates, takeCalls, takeFromCaller } from '../../projects/caller-limit'
import { isAllowed, type Project } from '../../projects/project'
import { signInNetworks } from '../../projects/sign-in-networks'
import type { ProjectStore } from '../../projects/store'
import { createCallerLimits } from '../limits/caller-limits'
import { authenticate, makeNonce, signOut, siwxBase, siwxKeys, whoIsSignedIn } from './operations'
import type { SignIns } from './siwx'
import { createVerifiers } from './verifiers'

/** In bytes; fits several messages, and contract signatures. */
const maxBodyBytes = 32_768
/** In bytes; stored for the session's lifetime. */
const maxMessageLength = 4_096
/** In calls to a chain. */
const contractCost = 50
/** Chain checks by `me`; a dapp's server may check all its visitors. */
const defaultRecheckRates: CallRates = {
  caller: { name: 'siwx questions of a caller', burst: 1_200, every: 250 },
  project: { name: 'siwx questions of a project', burst: 6_000, every: 50 },
}
/** Shared by all gateways of the database. */
const signInLimits = createCallerLimits('wallet sign-ins', {
  caller: { burst: 120, every: 5_000 },
  project: { burst: 6_000, every: 50 },
  unsolvedCallerShare: 1,
  // A wallet's signature does not tell which devices are known.
  newDeviceShare: 1,
})

export type SiwxRoutesOptions = CallerLimit & {
  readonly signIns: SignIns
  readonly limits: Pick<PostgresLimiter, 'take'>
  readonly projects: Pick<ProjectStore, 'find'>
  readonly modalOrigin: string
  readonly networks: readonly GatewayNetwork[]
  readonly upstreams: Upstreams
  /** Default: {@link defaultRecheckRates}. */
  readonly recheckRates?: CallRates | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
}

function siwxIssuer(modalOrigin: string, projectId: string): string {
  return `${modalOrigin}${siwxBase}?projectId=${projectId}`
}

export function siwxRoutes(options: SiwxRoutesOptions): Hono<CallerEnv> {
  const { signIns, limits, projects, modalOrigin, networks, upstreams, limiter, clientAddress, now } = options
  const { recheckRates = defaultRecheckRates } = options
  const take = takeFromCaller(options)
  const known = signInNetworks(networks)

  /** @param onAsk called before a sign-in's chain check. */
  async function answer(context: Context<CallerEnv>, onAsk: () => void): Promise<Response> {
    const project = context.get('project')
    const caller = { projectId: project.id, address: clientAddress(context) }
    const handler = createSiwxHandler({
      basePath: siwxBase,
      origins: (origin) => isAllowed(origin, project),
      networks: (id) => known.has(id) && (project.signInChains?.includes(id) ?? true),
      verifiers: createVerifiers({ networks, upstreams, onAsk }),
      nonces: signIns.nonces(project.id),
      sessions: signIns.sessions(siwxIssuer(modalOrigin, project.id), audienceOf(context, project)),
      proofs: signIns.proofs,
      mayRecheck: () => takeCalls(limiter, recheckRates, caller, 1).ok,
      longestMessage: maxMessageLength,
      now,
    })
    return (await handler(context.req.raw)) ?? context.notFound()
  }
  const respond = (context: Context<CallerEnv>) => answer(context, () => {})
  const authenticated = (context: Context<CallerEnv>) => answer(context, () => take(context, contractCost))

  const counted: MiddlewareHandler<CallerEnv> = async (context, next) => {
    take(context, 1)
    return next()
  }
  const countedSignIn: MiddlewareHandler<CallerEnv> = async (context, next) => {
    const caller = { projectId: context.get('project').id, address: clientAddress(context) }
    const share = await limits.take(signInLimits.of(caller, false))
    if (!share.ok) throw problem(429, 'rate', 'Too many sign-ins', { 'Retry-After': String(share.retryAfter) })
    return next()
  }

  const app = new Hono<CallerEnv>()
  serveOperation(app, siwxKeys, async (context) =>
    context.json(await signIns.keys.jwks(), 200, {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=300',
    }),
  )
  app.use(`${siwxBase}/*`, neverStored, requireProject(projects, []), readableByItsPages)
  app.use(`${siwxBase}/*`, (context, next) => (context.req.method === 'OPTIONS' ? respond(context) : next()))
  app.use(`${siwxBase}/*`, limitBody(maxBodyBytes), counted)
  serveOperation(app, makeNonce, respond)
  serveOperation(app, authenticate, countedSignIn, authenticated)
  serveOperation(app, whoIsSignedIn, respond)
  serveOperation(app, signOut, respond)
  app.all(`${siwxBase}/*`, (context) => context.notFound())
  return app
}

const neverStored: MiddlewareHandler = async (context, next) => {
  context.header('Cache-Control', 'no-store')
  context.header('Vary', 'Origin')
  return next()
}

/** Adds CORS to earlier failures too, such as a rate limit. */
const readableByItsPages: MiddlewareHandler<CallerEnv> = async (context, next) => {
  const origin = context.req.header('Origin')
  if (origin !== undefined) context.header('Access-Control-Allow-Origin', origin)
  context.header('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id')
  return next()
}

/** The page's origin, or the unverified token's audience if the project allows it. */
function audienceOf(context: Context<CallerEnv>, project: Project): string {
  const origin = context.req.header('Origin')
  if (origin !== undefined) return origin
  const [, token] = /^Bearer +(\S+)$/i.exec(context.req.header('Authorization') ?? '') ?? []
  return originIn(token, project) ?? noAudience
}

/** Not an origin, so no token has it. */
const noAudience = 'none'

function originIn(token: string | undefined, project: Project): string | null {
  if (token === undefined) return null
  try {
    const { aud } = decodeJwt(token)
    return typeof aud === 'string' && isAllowed(aud, project) ? aud : null
  } catch {
    return null
  }
}
