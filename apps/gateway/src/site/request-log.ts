import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import { databaseFault } from '../platform/db/fault'
import { commonHeaders, inertHeaders } from '../platform/html/headers'
import { Problem, problem, problemResponse, unavailable } from '../platform/http/problem'
import { createLogOnce } from '../platform/log/log-once'
import type { Platform } from './dependencies'
import type { SiteEnv } from './site'

/** A lasting fault is logged once in this time. */
const faultPeriodMs = 60_000

/** Gives each request its site and id, each response its missing headers, and the log a line. */
export function logRequests(
  app: Hono<SiteEnv>,
  { log, clock, modalOrigin, walletOrigin, production, onRequest }: Platform,
): void {
  const modalHost = new URL(modalOrigin).host
  const walletHost = new URL(walletOrigin).host

  app.use(async (context, next) => {
    const startedAt = clock()
    const requestId = randomUUID()
    const host = context.req.header('Host')?.toLowerCase()
    context.set('requestId', requestId)
    context.set('site', host === modalHost ? 'modal' : host === walletHost ? 'wallet' : 'unknown')
    await next()
    setMissing(context, { ...commonHeaders(context.get('site'), production), 'X-Request-Id': requestId })
    if (!isPage(context)) setMissing(context, inertHeaders)
    // The route, not the path: paths and queries contain addresses.
    const { status } = context.res
    const line = {
      requestId,
      method: context.req.method,
      route: routeOf(context),
      status,
      ms: Math.round(clock() - startedAt),
    }
    // Faults of others (502, 503) have their own lines.
    log[status === 500 ? 'error' : 'info'](line, 'request')
    onRequest?.(line)
  })
}

/**
 * Errors and unknown paths become a Problem; unexpected errors are logged, not sent. While the database cannot serve:
 * 503 with Retry-After.
 */
export function answerErrors(app: Hono<SiteEnv>, { log, clock }: Platform): void {
  const logOnce = createLogOnce(faultPeriodMs, clock)
  app.onError((error, context) => {
    const fault = databaseFault(error)
    if (fault !== null) {
      logOnce(fault, (more) => log.error({ err: error, ...more }, 'database cannot serve'))
      return problemResponse(context, unavailable())
    }
    if (error instanceof Problem) return problemResponse(context, error)
    if (error instanceof HTTPException) return problemResponse(context, problem(error.status, 'request', error.message))
    log.error({ requestId: context.get('requestId'), route: routeOf(context), err: error }, 'failed')
    return problemResponse(context, problem(500, 'server', 'Something went wrong'))
  })
  app.notFound((context) => problemResponse(context, problem(404, 'path', 'Nothing is served here')))
}

/** The matched pattern, such as `/getWalletImage/:id`, or `*`. */
export function routeOf(context: Context): string {
  const routes = matchedRoutes(context)
  // The console's page answers every remaining path.
  return routes.findLast(({ method, path }) => method !== METHOD_NAME_ALL && path !== '/*')?.path ?? '*'
}

function isPage(context: Context): boolean {
  return context.res.headers.has('Content-Security-Policy')
}

function setMissing(context: Context, headers: Readonly<Record<string, string>>): void {
  // `context.header` would copy the response and its stream for each header.
  const present = context.res.headers
  for (const [name, value] of Object.entries(headers)) {
    if (!present.has(name)) present.set(name, value)
  }
}
