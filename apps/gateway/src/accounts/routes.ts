/** Sign-in by email. Wallet site only. */

import type { WalletAddresses } from '@postern/protocol'
import { isWalletNamespace } from '@postern/protocol/namespaces'
import { type Context, Hono } from 'hono'
import { limitBody } from '../platform/http/body-limit'
import { operation, serveOperation } from '../platform/http/operation'
import { problem } from '../platform/http/problem'
import { waitFor } from '../platform/http/wait'
import { serveCall, walletFailure } from '../platform/http/wallet-calls'
import type { Taken } from '../platform/limits/limiter'
import { languageOf } from '../projects/mail/text'
import { isAllowed, listedEntry, mailOf, type Project } from '../projects/project'
import { offersEmail } from '../projects/sign-in-methods'
import type { Auth } from './auth'
import { type DeviceView, devicePagePath, renderDevicePage } from './email/device-page'
import type { Sending } from './email/mailing'
import { type NotMeLink, notMePath } from './email/not-me'
import { type NotMeView, renderNotMePage } from './email/not-me-page'
import type { Caller } from './limits/caller-limits'
import type { Requester } from './mail/messages'
import { confirmScope, keyOfCaller, needsCode, requireSession, type SessionEnv } from './sessions/sessions'

export type AuthRoutesOptions = {
  readonly auth: Auth
  readonly modalOrigin: string
  readonly walletOrigin: string
  readonly clientAddress: (context: Context) => string
  /** @throws {Problem} TOO_MANY_ATTEMPTS */
  readonly takeCall: (context: Context, projectId: string) => void
  readonly region: (context: Context) => string | null
  /** Deletes a device's shares. `kept`: 8 of `not-me.ts`. */
  readonly removeShares: (
    userId: string,
    deviceId: string,
    more?: { readonly keepsUsed: boolean },
  ) => Promise<'done' | 'last' | 'kept'>
  readonly addressesOf: (userId: string) => Promise<WalletAddresses | null>
  /** Limits pages, which no project limit covers. */
  readonly takePage: (page: 'email' | 'social', context: Context) => Taken
  /** Epoch ms. */
  readonly now: () => number
  /** Monotonic, in ms. */
  readonly clock: () => number
  /** Ends long polls. */
  readonly stopping: AbortSignal
  /** Of long polls, in ms. */
  readonly waiting?: { readonly timeout: number; readonly interval: number }
}

type NotMeRead =
  | { readonly state: 'pending'; readonly link: NotMeLink }
  | { readonly state: 'expired' | 'unknown' | 'tooMany' }

/** In ms; below the frame's request timeout of 30 s. */
const defaultWaiting = { timeout: 25_000, interval: 500 }
const linkToken = /^[A-Za-z0-9_-]{43}$/
const maxNotMeToken = 1_024

/** `/auth/*` calls, after the caller check. */
export function authRoutes(options: AuthRoutesOptions): Hono<SessionEnv> {
  const { auth, clientAddress, clock, stopping, modalOrigin, waiting = defaultWaiting } = options
  const { sessions } = auth
  const app = new Hono<SessionEnv>()
  const signedIn = [requireSession(auth)]
  const callerOf = (context: Context<SessionEnv>): Caller => ({
    projectId: context.get('project').id,
    address: clientAddress(context),
  })
  const callOf = (context: Context<SessionEnv>) => ({
    session: context.get('session'),
    caller: callerOf(context),
    requester: requesterIn(context, options, context.get('project')),
  })

  serveCall(app, 'email', [], async ({ email, deviceToken, origin, solution }, context) => {
    const project = context.get('project')
    const { signIn } = emailOf(project)
    if (!isAllowed(origin, project) && origin !== modalOrigin) {
      throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    }
    const requester = requesterIn(context, options, project, listedEntry(origin, project))
    return signIn.begin({ email, deviceToken, requester, caller: callerOf(context), solution })
  })

  serveCall(app, 'emailChallenge', [], ({ email }, context) =>
    emailOf(context.get('project')).signIn.challenge(email, callerOf(context)),
  )

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

  serveCall(app, 'emailVerify', [], async ({ flow, otp, deviceToken }, context) => {
    const { signIn } = emailOf(context.get('project'))
    const attempt = { flow, otp, deviceToken, caller: callerOf(context) }
    // A locked-out device uses up no calls of others.
    signIn.turnAway(attempt)
    options.takeCall(context, context.get('project').id)
    const keyThumbprint = await keyOfCaller(context, auth.proofs)
    return signIn.verify({ ...attempt, keyThumbprint })
  })

  serveCall(app, 'session', signedIn, (_, context) =>
    sessions.describe(context.get('session'), context.get('sessionToken'), context.get('project').id),
  )

  serveCall(app, 'identityToken', signedIn, async ({ namespaces, user: isWanted }, context) => {
    const { userId, expiresAt: sessionEndsAt, user: who } = context.get('session')
    const known = await options.addressesOf(userId)
    const addresses = Object.fromEntries(
      known === null ? [] : namespaces.filter(isWalletNamespace).map((name) => [name, known[name]]),
    )
    const projectId = context.get('project').id
    // Always proven, by a code or by the provider.
    const email = who.email ?? undefined
    const user = isWanted ? { provider: who.provider, ...(email !== undefined && { email }) } : undefined
    return { token: await auth.identityTokens.signForDapp({ userId, projectId, addresses, user, sessionEndsAt }) }
  })

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
    const notMe = auth.notMe.linkTo({ kind: 'device', userId: session.userId, deviceId: session.deviceId, email })
    const scope = confirmScope(session, purpose)
    const sending: Sending = {
      caller,
      cooldown: scope,
      budgets: [`confirm ${session.userId}`],
      address: email,
      isKnown: true,
      challenge: 'exempt',
    }
    await mailing.take(sending)
    await mailing.sendCode({ to: email, scope, purpose, requester, notMe, sending })
    return { needsCode: true }
  })

  serveCall(app, 'emailChange', signedIn, async ({ email }, context) => ({
    action: await changes().begin(callOf(context), email),
  }))
  serveCall(app, 'emailChangePrimary', signedIn, async (confirmed, context) => {
    await changes().verifyPrimary(callOf(context), confirmed)
    return {}
  })
  serveCall(app, 'emailChangeSecondary', signedIn, (confirmed, context) =>
    changes().verifySecondary(callOf(context), confirmed),
  )

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

export function requesterIn(
  context: Context,
  { region, now }: Pick<AuthRoutesOptions, 'region' | 'now'>,
  project: Pick<Project, 'name' | 'mail' | 'mailTexts'>,
  site: string | null = null,
): Requester {
  return { site, region: region(context), at: now(), language: languageIn(context), ...mailOf(project) }
}

const languageIn = (context: Context) => languageOf(context.req.header('Accept-Language'))

export const identityKeys = operation({
  method: 'get',
  path: '/.well-known/jwks.json',
  summary: 'The keys by which identity tokens are checked (RFC 7517)',
  caller: 'anybody',
  site: 'wallet',
  response: 'application/json',
})

/** Routes without a project. */
export function openAuthRoutes(options: AuthRoutesOptions): Hono {
  const { auth, removeShares, takePage, walletOrigin } = options
  const app = new Hono()

  serveOperation(app, identityKeys, async (context) =>
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
    const token = await postedToken(context)
    return renderDevicePage(
      context,
      await decide(context, token, (signIn) => signIn.approve(token, languageIn(context))),
      token,
    )
  })

  app.get(notMePath, async (context) => {
    const token = context.req.query('token') ?? ''
    return renderNotMePage(context, viewOf(readNotMe(context, token)), token)
  })

  app.post(notMePath, limitBody(4_096), async (context) => {
    const token = await postedToken(context)
    const read = readNotMe(context, token)
    if (read.state !== 'pending') return renderNotMePage(context, viewOf(read), token)
    const { ended, result } = await auth.notMe.end(read.link)
    for (const { userId, deviceId } of ended) {
      if ((await removeShares(userId, deviceId, { keepsUsed: true })) === 'kept') {
        await auth.sessions.signOutDevice(userId, deviceId)
        continue
      }
      await auth.sessions.endDevice(userId, deviceId)
      // It may have stored a split since.
      await removeShares(userId, deviceId)
    }
    return renderNotMePage(context, result, token)
  })
  return app

  async function postedToken(context: Context): Promise<string> {
    // Another site's form has another `Origin`.
    if (context.req.header('Origin') !== walletOrigin) {
      throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    }
    return new URLSearchParams(await context.req.text()).get('token') ?? ''
  }

  function viewOf(read: NotMeRead): NotMeView {
    return read.state === 'pending' ? { state: 'pending', kind: read.link.subject.kind } : read
  }

  function readNotMe(context: Context, token: string): NotMeRead {
    if (isOverLimit(context)) return { state: 'tooMany' }
    const link = token.length > maxNotMeToken ? null : auth.notMe.read(token)
    if (link === null) return { state: 'unknown' }
    return link === 'expired' ? { state: 'expired' } : { state: 'pending', link }
  }

  function isOverLimit(context: Context): boolean {
    return !takePage('email', context).ok
  }

  async function decide(
    context: Context,
    token: string,
    act: (signIn: NonNullable<Auth['email']>['signIn']) => Promise<DeviceView>,
  ): Promise<DeviceView> {
    if (isOverLimit(context)) return { state: 'tooMany' }
    return auth.email === null || !linkToken.test(token) ? { state: 'unknown' } : act(auth.email.signIn)
  }
}
