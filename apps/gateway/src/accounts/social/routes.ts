/**
 * Social sign-in: `social` and `socialClaim` of `walletApi`, and the popup's pages.
 *
 * 1. `start`, the popup's first page, binds the flow to its browser by a cookie.
 * 2. A callback with an unknown state or without the cookie ends the flow: STATE_MISMATCH.
 * 3. A callback works once. If the user declines: CONSENT_DENIED; any other provider error: PROVIDER_FAILED.
 * 4. The result needs the frame's `claim` **and** the popup's ticket or digits: an attacker who sends a link does not
 *    get the visitor's session.
 * 5. `start` and the callback open only as windows.
 */

import { SocialProvider, type WalletApiFailure } from '@postern/protocol'
import { generateCodeVerifier } from 'arctic'
import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as z from 'zod/mini'
import { limitBody } from '../../platform/http/body-limit'
import { parseOrThrow, problem } from '../../platform/http/problem'
import { requireOwnOrigin } from '../../platform/http/same-origin'
import { waitFor } from '../../platform/http/wait'
import { serveCall, walletFailure } from '../../platform/http/wallet-calls'
import { type Taken, takenOrThrow } from '../../platform/limits/limiter'
import type { Log } from '../../platform/log/log'
import { newSecret } from '../../platform/secrets/secrets'
import { isAllowed } from '../../projects/project'
import { offered } from '../../projects/sign-in-methods'
import type { SignInLimits } from '../limits/sign-in-limits'
import type { Proofs } from '../sessions/dpop'
import { keyOfCaller, type SessionEnv, type Sessions } from '../sessions/sessions'
import { endpointsOf } from './endpoints'
import { type FlowRow, type Flows, flowLifetime } from './flows'
import { renderArrived, renderFailure, renderOpening } from './pages'
import { type Provider, ProviderError, type ProviderFailure, type ProvidersOf } from './provider'

export type SocialRoutesOptions = {
  readonly flows: Flows
  readonly providersOf: ProvidersOf
  readonly sessions: Pick<Sessions, 'signIn'>
  readonly proofs: Pick<Proofs, 'verify'>
  readonly signInLimits: SignInLimits
  readonly modalOrigin: string
  readonly walletOrigin: string
  readonly clientAddress: (context: Context) => string
  /** Limits pages, which no project limit covers. */
  readonly takePage: (page: 'email' | 'social', context: Context) => Taken
  readonly log: Pick<Log, 'warn'>
  /** Monotonic, in ms. */
  readonly clock: () => number
  readonly stopping: AbortSignal
  /** Of long-polling, in ms. */
  readonly waiting?: { readonly timeout: number; readonly interval: number }
}

export const socialPath = '/auth/social'
const defaultWaiting = { timeout: 25_000, interval: 500 }
const Secret = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
const maxCookies = 8

/** The app has checked caller and project. */
export function socialRoutes(options: SocialRoutesOptions): Hono<SessionEnv> {
  const { flows, providersOf, sessions, proofs, signInLimits, clientAddress, walletOrigin, clock, stopping } = options
  const { waiting = defaultWaiting } = options
  const app = new Hono<SessionEnv>()

  serveCall(app, 'social', [], async ({ provider, claim, deviceToken, origin, solution }, context) => {
    const project = context.get('project')
    const methods = { email: false, socials: [...providersOf(project.id).keys()], farcaster: false }
    if (!offered(project, methods).socials.includes(provider)) {
      throw problem(403, 'provider', 'This sign-in is not offered here')
    }
    // The page shows this origin.
    if (!isAllowed(origin, project) && origin !== options.modalOrigin) {
      throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    }
    const caller = { projectId: project.id, address: clientAddress(context) }
    await signInLimits.take('social', { caller, deviceToken, solution })
    const stash = { deviceToken, state: newSecret(), codeVerifier: generateCodeVerifier(), nonce: newSecret() }
    const flow = await flows.open({ projectId: project.id, provider, origin, claim, stash })
    return { flow, uri: `${walletOrigin}${socialPath}/start?flow=${flow}` }
  })

  serveCall(app, 'providerChallenge', [], ({ deviceToken }, context) =>
    signInLimits.challenge(deviceToken, { projectId: context.get('project').id, address: clientAddress(context) }),
  )

  serveCall(app, 'socialClaim', [], async (body, context) => {
    const keyThumbprint = await keyOfCaller(context, proofs)
    const taken = await waitFor(
      async () => {
        const claim = await flows.claim(body)
        return claim.kind === 'pending' ? null : claim
      },
      { ...waiting, clock, signal: AbortSignal.any([context.req.raw.signal, stopping]) },
    )
    if (taken === null) return { status: 'pending' }
    switch (taken.kind) {
      case 'code':
        return { status: 'code' }
      case 'failed':
        throw walletFailure(taken.failure, taken.retryAfter)
      case 'taken': {
        const { row, arrived } = taken
        const device = { deviceToken: arrived.deviceToken, keyThumbprint }
        return sessions.signIn({ provider: row.provider, ...arrived.identity }, device, row.projectId)
      }
    }
  })

  return app
}

/** The project comes from the flow. */
export function openSocialRoutes(options: SocialRoutesOptions): Hono {
  const { flows, providersOf, walletOrigin, takePage, log } = options
  const isSecure = walletOrigin.startsWith('https:')
  /** Sibling hosts cannot set a `__Host-` cookie. It needs TLS. */
  const cookiePrefix = `${isSecure ? '__Host-' : ''}postern-social-`
  const app = new Hono()

  app.use(`${socialPath}/*`, async (context, next) => {
    takenOrThrow(takePage('social', context))
    return next()
  })

  app.get(`${socialPath}/opening`, (context) => renderOpening(context))

  app.get(`${socialPath}/start`, async (context) => {
    if (!isWindow(context)) throw problem(403, 'destination', 'This is a page of its own window')
    const secret = Secret.safeParse(context.req.query('flow'))
    const row = secret.success ? await flows.find(secret.data) : null
    const provider = row === null ? undefined : providerOf(row)
    if (row === null || provider === undefined || !secret.success) return renderFailure(context, 'CODE_EXPIRED')
    const name = `${cookiePrefix}${row.id.slice(0, 12)}`
    const [, known] = (getCookie(context, name) ?? '').split('.')
    const cookie = await flows.start(row, known)
    // Another browser was first, or the flow has ended.
    if (cookie === null) return renderFailure(context, 'STATE_MISMATCH')
    setCookie(context, name, `${secret.data}.${cookie}`, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure,
      maxAge: flowLifetime / 1000,
    })
    context.header('Cache-Control', 'no-store')
    context.header('Referrer-Policy', 'no-referrer')
    return context.redirect(provider.authorizationUrl(flows.providerStash(row)), 302)
  })

  const form = limitBody(65_536)
  // Apple's cross-site POST lacks our cookie; our own GET has it.
  app.post(`${socialPath}/callback/:provider`, form, async (context) => {
    const name = SocialProvider.safeParse(context.req.param('provider'))
    if (!name.success || endpointsOf(name.data).formPost !== true) return context.notFound()
    const fields = new URLSearchParams(await context.req.text())
    const query = new URLSearchParams()
    for (const name of ['code', 'state', 'error']) {
      const value = fields.get(name)
      if (value !== null) query.set(name, value)
    }
    context.header('Cache-Control', 'no-store')
    context.header('Referrer-Policy', 'no-referrer')
    return context.redirect(`${context.req.path}?${query}`, 303)
  })

  app.get(`${socialPath}/callback/:provider`, async (context) => {
    const name = context.req.param('provider')
    if (!SocialProvider.safeParse(name).success || !isWindow(context)) return context.notFound()
    const cookies = cookiesOf(context)
    const row = await flows.byState(context.req.query('state') ?? '')
    const provider = row === null ? undefined : providerOf(row)
    if (row === null || row.provider !== name || provider === undefined) {
      await failFlowsOf(cookies, name)
      return renderFailure(context, 'STATE_MISMATCH')
    }
    if (row.status !== 'started') return renderFailure(context, row.failure ?? 'CODE_SPENT')
    const own = cookies.find(({ secret }) => flows.isOf(row, secret))
    if (own === undefined) return end(context, row, 'STATE_MISMATCH')
    deleteCookie(context, own.name, { path: '/', secure: isSecure })
    if (!(await flows.beginExchange(row))) return renderFailure(context, 'CODE_SPENT')
    const code = context.req.query('code')
    if (code === undefined || context.req.query('error') !== undefined) {
      return end(context, row, isRefusal(context.req.query('error')) ? 'CONSENT_DENIED' : 'PROVIDER_FAILED')
    }
    const { codeVerifier, nonce, deviceToken } = flows.providerStash(row)
    try {
      const identity = await provider.identify({ code, codeVerifier, nonce })
      const ticket = await flows.arrive(row, { deviceToken, identity })
      return renderArrived(context, { flow: own.flow, ticket, origin: row.origin })
    } catch (error) {
      if (!(error instanceof ProviderError)) {
        await flows.fail(row, 'PROVIDER_FAILED')
        throw error
      }
      warn(name, error.reason)
      return end(context, row, 'PROVIDER_FAILED')
    }
  })

  // For a callback page that cannot reach the frame.
  app.post(`${socialPath}/code`, requireOwnOrigin(walletOrigin), form, async (context) => {
    const { flow, ticket } = parseOrThrow(z.object({ flow: Secret, ticket: Secret }), await readJson(context))
    const code = await flows.showCode(flow, ticket)
    if (code === null) throw walletFailure('CODE_SPENT')
    return context.json({ code })
  })

  return app

  /** With the client of the flow's project. */
  function providerOf({ provider, projectId }: FlowRow): Provider | undefined {
    return provider === 'farcaster' ? undefined : providersOf(projectId).get(provider)
  }

  async function end(context: Context, row: FlowRow, failure: WalletApiFailure): Promise<Response> {
    await flows.fail(row, failure)
    return renderFailure(context, failure)
  }

  function cookiesOf(context: Context): readonly { name: string; flow: string; secret: string }[] {
    return Object.entries(getCookie(context))
      .filter(([name]) => name.startsWith(cookiePrefix))
      .slice(0, maxCookies)
      .flatMap(([name, value]) => {
        const [flow, secret] = value.split('.')
        return Secret.safeParse(flow).success && flow !== undefined && secret !== undefined
          ? [{ name, flow, secret }]
          : []
      })
  }

  /** So that this browser's modals report the failure. */
  async function failFlowsOf(cookies: readonly { flow: string; secret: string }[], provider: string): Promise<void> {
    for (const { flow, secret } of cookies) {
      const row = await flows.find(flow)
      if (row?.status === 'started' && row.provider === provider && flows.isOf(row, secret)) {
        await flows.fail(row, 'STATE_MISMATCH')
      }
    }
  }

  function warn(provider: string, reason: ProviderFailure): void {
    log.warn({ provider, reason }, 'social sign-in failed')
  }
}

/** Requests without fetch metadata pass: cookie and state are the real check. */
function isWindow(context: Context): boolean {
  const destination = context.req.header('Sec-Fetch-Dest')
  return destination === undefined || destination === 'document'
}

/** RFC 6749 §4.1.2.1, and Apple's own code. */
function isRefusal(error: string | undefined): boolean {
  return error === 'access_denied' || error === 'user_cancelled_authorize'
}

async function readJson(context: Context): Promise<unknown> {
  try {
    return await context.req.json()
  } catch {
    throw problem(400, 'body', 'The body is not JSON')
  }
}
