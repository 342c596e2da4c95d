/**
 * Sign-in with wallet for dapps without a server of their own: nonce, authenticate, me and sign-out at `/v1/siwx/…`, and the keys by which whoever
 * has a server checks the tokens.
 *
 * 1. Pages of the project's own origins may ask, and read the answers (CORS); all others get nothing that their browser shows them.
 * 2. A message has to name the page that asks: domain and URI are its origin's. What a visitor signed for one page is no sign-in of another, although the project allows both.
 * 3. A token is for one project (`iss`) and one page's origin (`aud`). Anybody has a page on the hosts of previews that projects allow by themselves: its tokens are none of the dapp's.
 * 4. Tokens come as `Authorization: Bearer` alone. There is no cookie: pages are on other sites.
 * 5. A server that asks who somebody is sends no `Origin`; the token's own audience counts, where the project allows that origin.
 * 6. Calls are counted for each caller and for the project, sign-ins besides in the database, and a sign-in's question to a chain costs as much as 50 calls: where there is no
 *    share left for it, the answer is 429. `me` is one call whatever it asks. Its questions have shares of their own, so that among the visitors for whom one server asks nobody
 *    uses up the others': where there is none left, contracts' sessions stay as they are, up to half an hour after they were last confirmed.
 * 7. Visitors sign in on the project's own chains, of those that the gateway knows. Sessions on others are none, also earlier ones.
 */

import { builtInNetworks } from '@postern/protocol'
import { createSiwxHandler } from '@postern/siwx/server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { decodeJwt } from 'jose'
import type { Limits, Rate } from '../auth/limits'
import type { GatewayNetwork } from '../config'
import { limitBody } from '../http/body-limit'
import { type CallerEnv, requireProject } from '../http/caller'
import { type CallerLimit, takeFromCaller } from '../http/caller-limit'
import { problem } from '../http/problem'
import { callerKey, createRateLimit, type RateLimit, withProjectLimit } from '../http/rate-limit'
import { isAllowed } from '../pages/decide'
import type { Project } from '../projects/project'
import type { ProjectStore } from '../projects/store'
import type { Upstreams } from '../rpc/upstream'
import type { SignIns } from './siwx'
import { createVerifiers } from './verifiers'

export const siwxBase = '/v1/siwx'
/** Bytes. Several messages of a wallet that signs them at once fit, and signatures of contracts. */
const maxBodyBytes = 32_768
/** Bytes. Each is kept with its signature as long as its session lives. */
const longestMessage = 4_096
/** In calls to a chain. */
const contractCost = 50
const callerQuestions = { perSecond: 4, burst: 1_200 }
const projectQuestions = { perSecond: 20, burst: 6_000 }
/** What a sign-in is counted by, at every gateway of the database together. */
const callerRate: Rate = { name: 'siwx caller', burst: 120, every: 5_000 }
const projectRate: Rate = { name: 'siwx project', burst: 6_000, every: 50 }

export type SiwxRoutesOptions = CallerLimit & {
  readonly signIns: SignIns
  readonly limits: Pick<Limits, 'take'>
  readonly projects: Pick<ProjectStore, 'find'>
  readonly modalOrigin: string
  readonly networks: readonly GatewayNetwork[]
  readonly upstreams: Upstreams
  /** How often `me` may have chains asked, by {@link callerKey}. A caller may be a server that asks for all visitors of a dapp. Absent: 4 a second, 1,200 at once; of a project 20, 6,000. */
  readonly siwxQuestions?: RateLimit | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Who signs a project's tokens; also where its pages find these calls. */
export function siwxIssuer(modalOrigin: string, projectId: string): string {
  return `${modalOrigin}${siwxBase}?projectId=${projectId}`
}

export function siwxRoutes(options: SiwxRoutesOptions): Hono<CallerEnv> {
  const { signIns, limits, projects, modalOrigin, networks, upstreams, clientAddress, now } = options
  const take = takeFromCaller(options)
  const ofCaller = createRateLimit({ ...callerQuestions, now })
  const questions = options.siwxQuestions ?? withProjectLimit(ofCaller, createRateLimit({ ...projectQuestions, now }))
  const known = new Set([...networks, ...Object.values(builtInNetworks)].map(({ id }): string => id))

  /** @param onAsk before a chain is asked about a sign-in. */
  async function answer(context: Context<CallerEnv>, onAsk: () => void): Promise<Response> {
    const project = context.get('project')
    const caller = callerKey(project.id, clientAddress(context))
    const handler = createSiwxHandler({
      basePath: siwxBase,
      origins: (origin) => isAllowed(origin, project),
      networks: (id) => known.has(id) && (project.signInChains?.includes(id) ?? true),
      verifiers: createVerifiers({ networks, upstreams, onAsk }),
      nonces: signIns.nonces(project.id),
      sessions: signIns.sessions(siwxIssuer(modalOrigin, project.id), audienceOf(context, project)),
      proofs: signIns.proofs,
      mayRecheck: () => questions.take(caller, 1).ok,
      longestMessage,
      now,
    })
    return (await handler(context.req.raw)) ?? context.notFound()
  }
  const respond = (context: Context<CallerEnv>) => answer(context, () => {})
  const authenticate = (context: Context<CallerEnv>) => answer(context, () => take(context, contractCost))

  const counted: MiddlewareHandler<CallerEnv> = async (context, next) => {
    take(context, 1)
    return next()
  }
  const countedSignIn: MiddlewareHandler<CallerEnv> = async (context, next) => {
    const { id } = context.get('project')
    const who = callerKey(id, clientAddress(context))
    const share = await limits.take([
      { rate: callerRate, who },
      { rate: projectRate, who: id },
    ])
    if (!share.ok) throw problem(429, 'rate', 'Too many sign-ins', { 'Retry-After': String(share.retryAfter) })
    return next()
  }

  return new Hono<CallerEnv>()
    .get(`${siwxBase}/jwks.json`, async (context) =>
      context.json(await signIns.keys.jwks(), 200, {
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Cache-Control': 'public, max-age=300',
      }),
    )
    .use(`${siwxBase}/*`, neverStored, requireProject(projects, []), readableByItsPages)
    .use(`${siwxBase}/*`, (context, next) => (context.req.method === 'OPTIONS' ? respond(context) : next()))
    .use(`${siwxBase}/*`, limitBody(maxBodyBytes), counted)
    .post(`${siwxBase}/nonce`, respond)
    .post(`${siwxBase}/authenticate`, countedSignIn, authenticate)
    .get(`${siwxBase}/me`, respond)
    .post(`${siwxBase}/sign-out`, respond)
    .all(`${siwxBase}/*`, (context) => context.notFound())
}

const neverStored: MiddlewareHandler = async (context, next) => {
  context.header('Cache-Control', 'no-store')
  context.header('Vary', 'Origin')
  return next()
}

/** Also what goes wrong before the handler is asked, such as a limit. Its caller was let in: the origin is one of the project's. */
const readableByItsPages: MiddlewareHandler<CallerEnv> = async (context, next) => {
  const origin = context.req.header('Origin')
  if (origin !== undefined) context.header('Access-Control-Allow-Origin', origin)
  context.header('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id')
  return next()
}

/** The page's origin; of a caller without one that of which its token says that it is for, where the project allows it. Whether the token is good is looked at later. */
function audienceOf(context: Context<CallerEnv>, project: Project): string {
  const origin = context.req.header('Origin')
  if (origin !== undefined) return origin
  const [, token] = /^Bearer +(\S+)$/i.exec(context.req.header('Authorization') ?? '') ?? []
  return originIn(token, project) ?? nobody
}

/** No origin is written so: a token for it was never issued. */
const nobody = 'nobody'

function originIn(token: string | undefined, project: Project): string | null {
  if (token === undefined) return null
  try {
    const { aud } = decodeJwt(token)
    return typeof aud === 'string' && isAllowed(aud, project) ? aud : null
  } catch {
    return null
  }
}
