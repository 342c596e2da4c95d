/**
 * Checks callers of the API.
 *
 * 1. Every call names a known project, else 401 'Unauthorized: invalid key'.
 * 2. A browser's cross-origin call needs an origin that the project allows, else 403 'Unauthorized: origin not
 *    allowed'.
 * 3. A browser's cross-site call without an `Origin` (an image, script or form) is refused in the same way.
 * 4. A caller without these headers is not a browser: only rate limits restrict it.
 * 5. The calling page can read every response, also refusals (CORS). Its calls have no credentials.
 */

import type { MiddlewareHandler } from 'hono'
import { problem } from '../platform/http/problem'
import { isAllowed, type Project, ProjectId } from './project'
import type { ProjectStore } from './store'

/** The site of the request's `Host` header. */
export type Site = 'modal' | 'wallet' | 'unknown'
export type CallerEnv = { Variables: { project: Project; site: Site } }

/** CORS, first, so that the page can read failures. */
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

/** @param ownOrigins count as same-origin. */
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

/** @param site `Sec-Fetch-Site`; none means the address bar. */
function isCallerAllowed(
  origin: string | undefined,
  site: string | undefined,
  project: Project,
  ownOrigins: readonly string[],
): boolean {
  if (origin !== undefined) return ownOrigins.includes(origin) || isAllowed(origin, project)
  return site === undefined || site === 'same-origin' || site === 'none'
}
