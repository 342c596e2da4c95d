/** Calls and pages of sign-in by email. Wallet site only. */
import { type Context, Hono } from 'hono'
import { limitBody } from '../http/body-limit'
import { problem } from '../http/problem'
import type { RateLimit } from '../http/rate-limit'
import { waitFor } from '../http/wait'
import { serveCall, walletFailure } from '../http/wallet-calls'
import { isAllowed, type Project } from '../projects/project'
import type { Auth } from './auth'
import { browserName } from './browser-name'
import { type DeviceView, devicePagePath, renderDevicePage } from './device-page'
import type { Caller } from './mailing'
import { confirmScope, needsCode, requireSession, type SessionEnv } from './sessions'
import { offersEmail } from './sign-in-methods'

export type AuthRoutesOptions = {
  readonly auth: Auth
  readonly modalOrigin: string
  readonly walletOrigin: string
  readonly clientAddress: (context: Context) => string
  /** @throws {Problem} TOO_MANY_ATTEMPTS */
  readonly takeCall: (context: Context, projectId: string) => void
  /** For pages, which no project's limit covers. */
  readonly pageLimit: RateLimit
  /** Monotonic, in ms. */
  readonly clock: () => number
  /** A stop signal ends long polls. */
  readonly stopping: AbortSignal
  /** Of long polls, in ms. */
  readonly waiting?: { readonly timeout: number; readonly interval: number }
}

/** Below the frame's request timeout of 30 s. */
const defaultWaiting = { timeout: 25_000, interval: 500 }
const linkToken = /^[A-Za-z0-9_-]{43}$/

/** `/auth/*` calls, after the caller check. `emailVerify` counts its own call. */
export function authRoutes(options: AuthRoutesOptions): Hono<SessionEnv> {
  const { auth, clientAddress, clock, stopping, modalOrigin, walletOrigin, waiting = defaultWaiting } = options
  const { sessions } = auth
  const app = new Hono<SessionEnv>()
  const signedIn = [requireSession(sessions)]
  const callerOf = (context: Context<SessionEnv>): Caller => ({
    projectId: context.get('project').id,
    address: clientAddress(context),
  })
  const requesterIn = (context: Context<SessionEnv>, origin: string) => ({
    origin,
    browser: browserName(context.req.header('User-Agent')),
  })
  const callOf = (context: Context<SessionEnv>) => ({
    session: context.get('session'),
    caller: callerOf(context),
    requester: requesterIn(context, walletOrigin),
  })

  serveCall(app, 'email', [], async ({ email, deviceToken, origin }, context) => {
    const project = context.get('project')
    const { signIn } = emailOf(project)
    // An email may name only an origin of the project, so that others cannot choose its text.
    if (!isAllowed(origin, project) && origin !== modalOrigin) {
      throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    }
    return signIn.begin({ email, deviceToken, requester: requesterIn(context, origin), caller: callerOf(context) })
  })

  serveCall(app, 'emailDevice', [], async ({ flow }, context) => {
    const { signIn } = emailOf(context.get('project'))
    const { id } = context.get('project')
    const answer = await waitFor(async () => ((await signIn.isApproved(flow, id)) ? 'approved' : null), {
      ...waiting,
      clock,
      signal: AbortSignal.any([context.req.raw.signal, stopping]),
    })
    return { status: answer ?? 'pending' }
  })

  serveCall(app, 'emailVerify', [], ({ flow, otp, deviceToken }, context) => {
    const { signIn } = emailOf(context.get('project'))
    const attempt = { flow, otp, deviceToken, caller: callerOf(context) }
    // A locked-out device must use up no calls of others behind the same address.
    signIn.turnAway(attempt)
    options.takeCall(context, context.get('project').id)
    return signIn.verify(attempt)
  })

  serveCall(app, 'session', signedIn, (_, context) =>
    sessions.describe(context.get('session'), context.get('sessionToken'), context.get('project').id),
  )

  serveCall(app, 'signOut', signedIn, async (_, context) => {
    await sessions.signOut(context.get('session'))
    return {}
  })

  serveCall(app, 'confirm', signedIn, async ({ purpose }, context) => {
    const { session, caller, requester } = callOf(context)
    const { email } = session.user
    if (auth.email === null || email === null || !needsCode(session, true)) {
      sessions.requireFreshSignIn(session)
      return { needsCode: false }
    }
    const { mailing } = auth.email
    const scope = confirmScope(session, purpose)
    const sending = { caller, cooldown: scope, budget: `confirm ${session.userId}`, address: email, isKnown: true }
    await mailing.take(sending)
    await mailing.sendCode({ to: email, scope, purpose, requester, sending })
    return { needsCode: true }
  })

  serveCall(app, 'emailChange', signedIn, async ({ email }, context) => ({
    action: await changes().begin(callOf(context), email),
  }))
  serveCall(app, 'emailChangePrimary', signedIn, async ({ otp }, context) => {
    await changes().verifyPrimary(callOf(context), otp)
    return {}
  })
  serveCall(app, 'emailChangeSecondary', signedIn, async ({ otp }, context) => ({
    newEmail: await changes().verifySecondary(callOf(context), otp),
  }))

  return app

  function emailOf(project: Project): NonNullable<Auth['email']> {
    if (auth.email === null || !offersEmail(true, project)) {
      throw problem(403, 'email', 'Sign-in by email is not offered here')
    }
    return auth.email
  }

  function changes() {
    if (auth.email === null) throw walletFailure('MAIL_FAILED')
    return auth.email.change
  }
}

/** Pages opened from an email, and the identity token's keys; without a project. */
export function openAuthRoutes(options: AuthRoutesOptions): Hono {
  const { auth, clientAddress, pageLimit, walletOrigin } = options
  const app = new Hono()

  app.get('/.well-known/jwks.json', async (context) =>
    context.json(await auth.identityTokens.jwks(), 200, {
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    }),
  )

  app.get(devicePagePath, async (context) => {
    const token = context.req.query('token') ?? ''
    return renderDevicePage(context, await decide(context, token, (signIn) => signIn.look(token)), token)
  })

  app.post(devicePagePath, limitBody(4_096), async (context) => {
    // Another site's form sends that site's origin.
    if (context.req.header('Origin') !== walletOrigin) {
      throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    }
    const token = new URLSearchParams(await context.req.text()).get('token') ?? ''
    return renderDevicePage(context, await decide(context, token, (signIn) => signIn.approve(token)), token)
  })
  return app

  async function decide(
    context: Context,
    token: string,
    act: (signIn: NonNullable<Auth['email']>['signIn']) => Promise<DeviceView>,
  ): Promise<DeviceView> {
    if (!pageLimit.take(`device page ${clientAddress(context)}`, 1).ok) return { state: 'tooMany' }
    return auth.email === null || !linkToken.test(token) ? { state: 'unknown' } : act(auth.email.signIn)
  }
}
