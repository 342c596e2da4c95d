/**
 * Who may call the API.
 *
 * 1. Every call names a project: none or one that nobody made is 401 'Unauthorized: invalid key'.
 * 2. A browser's cross-origin call (its `Origin` is not our own) needs an origin that the project allows, else it is 403
 *    'Unauthorized: origin not allowed'.
 * 3. A browser's call from another site with no `Origin` (an image, a script, a form) is refused like one that is not allowed.
 * 4. A caller that is no browser sends neither header and is let in: allowlists bind browsers, rate limits bind the rest.
 * 5. Every answer, refusals too, can be read by the page that asked (CORS), but never with credentials: there are none to send.
 */
import type { MiddlewareHandler } from 'hono'
import { isAllowed } from '../pages/decide'
import { type Project, ProjectId } from '../projects/project'
import type { ProjectStore } from '../projects/store'
import { problem } from './problem'

export type CallerEnv = { Variables: { project: Project } }

/** CORS for the page that asks, before anything can go wrong, so that it can read what did. */
export const readableByPages: MiddlewareHandler = async (context, next) => {
  const origin = context.req.header('Origin')
  if (origin !== undefined) context.header('Access-Control-Allow-Origin', origin)
  context.header('Vary', 'Origin', { append: true })
  if (context.req.method === 'OPTIONS' && context.req.header('Access-Control-Request-Method') !== undefined) {
    context.header('Access-Control-Allow-Methods', 'GET, POST')
    context.header('Access-Control-Allow-Headers', 'Content-Type')
    context.header('Access-Control-Max-Age', '600')
    return context.body(null, 204)
  }
  context.header('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id')
  context.header('Cross-Origin-Resource-Policy', 'same-origin')
  context.header('Cache-Control', 'no-store')
  return next()
}

/** @param ownOrigins the gateway's own sites: what they ask is same-origin. */
export function requireProject(
  projects: Pick<ProjectStore, 'find'>,
  ownOrigins: readonly string[],
): MiddlewareHandler<CallerEnv> {
  return async (context, next) => {
    const id = context.req.query('projectId')
    const project = ProjectId.safeParse(id).success && id !== undefined ? await projects.find(id) : null
    if (project === null) throw problem(401, 'projectId', 'Unauthorized: invalid key')
    const origin = context.req.header('Origin')
    const site = context.req.header('Sec-Fetch-Site')
    if (!isCallerAllowed(origin, site, project, ownOrigins)) {
      throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    }
    context.set('project', project)
    return next()
  }
}

/** @param site `Sec-Fetch-Site`: same-origin, same-site, cross-site or none (typed into the address bar). */
export function isCallerAllowed(
  origin: string | undefined,
  site: string | undefined,
  project: Project,
  ownOrigins: readonly string[],
): boolean {
  if (origin !== undefined) return ownOrigins.includes(origin) || isAllowed(origin, project)
  return site === undefined || site === 'same-origin' || site === 'none'
}
