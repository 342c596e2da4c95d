/**
 * The admin port: the API under `/admin/v1`, and the console. Never on the public sites.
 *
 * 1. Every route needs a token (`operators.ts`), except `openapi.json`, which has no data, and the sign-in routes
 *    (`oidc/sign-in.ts`), which are limited by network address.
 * 2. Logs have the route, never the path: it has ids.
 * 3. Only the console's host and those of this machine are served.
 */
import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { databaseFault } from '../../platform/db/fault'
import type { Files } from '../../platform/html/files'
import { immutable, revalidate, sendFile } from '../../platform/html/send-file'
import { limitBody } from '../../platform/http/body-limit'
import { Problem, problem, problemResponse, unavailable } from '../../platform/http/problem'
import { type Limiter, type Rate, type Taken, takenOrThrow } from '../../platform/limits/limiter'
import type { Log } from '../../platform/log/log'
import { createLogOnce } from '../../platform/log/log-once'
import { parseJson } from '../../platform/parse-json'
import { callerTakings } from '../../projects/caller-limit'
import type { OperatorToken } from './config'
import { type OidcSignIn, type SignInOperation, signInOperations } from './oidc/sign-in'
import { adminBase, createAdminOpenApi } from './openapi'
import type { AdminOperation, AdminParts } from './operation'
import { adminOperations } from './operations'
import { type OperatorEnv, requireOperator, requireOwnHost, requireOwnPage, requireRole } from './operators'

/** A lasting fault is logged once in this time. */
const faultPeriodMs = 60_000

/** In bytes; fits a project with 256 origins. */
const maxBodyBytes = 131_072

const apiHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

const pageHeaders = {
  ...apiHeaders,
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** By network address; a sign-in at the provider takes two. */
const signInSteps: Rate = { name: 'steps of sign-ins', burst: 40, every: 2_000 }

export type AdminAppOptions = {
  readonly parts: AdminParts
  readonly operators: readonly OperatorToken[]
  readonly origin: string
  /** Null: tokens only. */
  readonly signIn: OidcSignIn | null
  readonly limiter: Limiter<Taken>
  readonly clientAddress: (context: Context) => string
  readonly consoleFiles: Files
  readonly version: string
  readonly log: Log
  readonly traceRequests: (app: Hono<OperatorEnv>) => void
}

export function createAdminApp(options: AdminAppOptions): Hono<OperatorEnv> {
  const { consoleFiles, version, log } = options
  const app = new Hono<OperatorEnv>()
  const logOnce = createLogOnce(faultPeriodMs, () => performance.now())
  options.traceRequests(app)
  app.onError((error, context) => {
    const fault = databaseFault(error)
    if (fault !== null) {
      logOnce(fault, (more) => log.error({ err: error, ...more }, 'database cannot serve'))
      return withHeaders(problemResponse(context, unavailable()))
    }
    if (error instanceof Problem) return withHeaders(problemResponse(context, error))
    log.error({ requestId: randomUUID(), err: error }, 'admin request failed')
    return withHeaders(problemResponse(context, problem(500, 'server', 'Something went wrong')))
  })
  app.notFound((context) => withHeaders(problemResponse(context, problem(404, 'path', 'Nothing is served here'))))

  app.use(requireOwnHost(options.origin))
  const openApi = createAdminOpenApi(version)
  app.get(`${adminBase}/openapi.json`, (context) => context.json(openApi, 200, apiHeaders))
  app.use(`${adminBase}/*`, requireOwnPage, limitBody(maxBodyBytes))
  for (const operation of signInOperations) serveSignIn(app, operation, options)
  app.use(`${adminBase}/*`, requireOperator({ ...options, sessions: options.signIn?.sessions ?? null }))
  for (const operation of adminOperations) serve(app, operation, options.parts)
  app.all(`${adminBase}/*`, (context) => context.notFound())

  app.get('/assets/*', async (context) => {
    const file = await consoleFiles.read(context.req.path.slice(1))
    return file === null ? context.notFound() : sendFile(context, file, { ...apiHeaders, 'Cache-Control': immutable })
  })
  app.get('/licences.txt', async (context) => {
    const file = await consoleFiles.read('licences.txt')
    return file === null ? context.notFound() : sendFile(context, file, { ...apiHeaders, 'Cache-Control': revalidate })
  })
  app.get('*', async (context) => {
    const page = await consoleFiles.read('index.html')
    return page === null ? context.notFound() : sendFile(context, page, pageHeaders)
  })
  return app
}

function serve(app: Hono<OperatorEnv>, operation: AdminOperation, parts: AdminParts): void {
  const path = `${adminBase}${operation.path.replace('{id}', ':id')}`
  app.on(operation.method.toUpperCase(), [path], async (context) => {
    const operator = context.get('operator')
    requireRole(operator, operation.role)
    const body = operation.body === undefined ? undefined : await readJson(context)
    const input = { id: context.req.param('id') ?? '', query: context.req.query(), body, operator }
    return context.json(await operation.run(parts, input), 200, apiHeaders)
  })
}

function serveSignIn(
  app: Hono<OperatorEnv>,
  { method, path, body: schema, run }: SignInOperation,
  { signIn, limiter, clientAddress }: AdminAppOptions,
): void {
  app.on(method.toUpperCase(), [`${adminBase}${path}`], async (context) => {
    if (method === 'post') takenOrThrow(limiter.take(callerTakings(signInSteps, clientAddress(context))))
    const body = schema === undefined ? undefined : await readJson(context)
    return context.json(await run(signIn, body), 200, apiHeaders)
  })
}

async function readJson(context: Context): Promise<unknown> {
  if (!/^application\/json\s*(?:;|$)/i.test(context.req.header('Content-Type') ?? '')) {
    throw problem(415, 'body', 'The body must be application/json')
  }
  return parseJson(await context.req.text())
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(apiHeaders)) response.headers.set(name, value)
  return response
}
