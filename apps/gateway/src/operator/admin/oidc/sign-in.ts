/**
 * Sign-in of operators at the provider. The console's tab gets a ticket and the provider's address; the provider sends
 * the browser back, and the console trades ticket and code for a token.
 *
 * 1. The code works only in the tab that began, which alone has the ticket: a link to the callback with another user's
 *    code signs no one in.
 * 2. No token or ticket is in a URL or cookie. The code in the callback's URL works once, and only with the ticket.
 * 3. The provider's address and the callback come from the settings, never from a request.
 * 4. A user without a role cannot sign in. The audit log has each sign-in before its session exists.
 */
import * as z from 'zod/mini'
import { parseOrThrow, problem } from '../../../platform/http/problem'
import type { Log } from '../../../platform/log/log'
import type { Audit } from '../audit'
import type { OidcConfig } from './config'
import { identityOf, nameOf, roleOf } from './identity'
import type { OidcProvider, Refused } from './provider'
import type { OidcSessions } from './sessions'

export type OidcSignIn = {
  readonly provider: OidcProvider
  readonly sessions: OidcSessions
  readonly roles: OidcConfig['roles']
  readonly audit: Pick<Audit, 'write'>
  readonly log: Pick<Log, 'warn'>
}

/** Needs no token. */
export type SignInOperation = {
  readonly method: 'get' | 'post'
  /** OpenAPI syntax, below `/admin/v1`. */
  readonly path: string
  readonly summary: string
  readonly body?: z.ZodMiniType
  readonly response: z.ZodMiniType
  run(signIn: OidcSignIn | null, body: unknown): Promise<unknown>
}

const Methods = z.strictObject({
  /** Host of the provider; null: tokens only. */
  oidc: z.nullable(z.string()),
})
const Started = z.strictObject({ url: z.string(), ticket: z.string() })
const Finish = z.strictObject({
  ticket: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'must be a ticket')),
  query: z.string().check(z.regex(/^\?/, 'must begin with ?'), z.maxLength(8_192)),
})
const Finished = z.strictObject({ token: z.string() })

export const signInOperations: readonly SignInOperation[] = [
  {
    method: 'get',
    path: '/sign-in',
    summary: 'How operators sign in, beside tokens',
    response: Methods,
    run: async (signIn) => ({ oidc: signIn?.provider.host ?? null }),
  },
  {
    method: 'post',
    path: '/sign-in/start',
    summary: 'Begins a sign-in at the provider',
    response: Started,
    run: async (signIn) => start(configured(signIn)),
  },
  {
    method: 'post',
    path: '/sign-in/finish',
    summary: 'Makes a token of what the provider sent',
    body: Finish,
    response: Finished,
    run: async (signIn, body) => finish(configured(signIn), parseOrThrow(Finish, body)),
  },
]

async function start({ provider, sessions, log }: OidcSignIn): Promise<z.infer<typeof Started>> {
  const begun = await provider.begin()
  if (begun.kind !== 'begun') {
    log.warn({ reason: begun.reason }, 'the OpenID provider could not be asked')
    throw refusalOf({ kind: 'unreachable' }, provider.host)
  }
  return { url: begun.url, ticket: await sessions.keep(begun.secrets) }
}

async function finish(
  signIn: OidcSignIn,
  { ticket, query }: z.infer<typeof Finish>,
): Promise<z.infer<typeof Finished>> {
  const { provider, sessions, roles, audit, log } = signIn
  const secrets = await sessions.take(ticket)
  if (secrets === null) throw problem(401, 'ticket', 'This sign-in took too long or was used. Start again')
  const outcome = await provider.finish(query, secrets)
  if (outcome.kind !== 'claims') {
    if (outcome.kind !== 'denied') log.warn({ reason: outcome.reason }, 'an operator’s sign-in failed')
    throw refusalOf(outcome, provider.host)
  }
  const identity = identityOf(outcome.claims, roles)
  const role = identity === null ? null : roleOf(identity.grants, roles)
  if (identity === null || role === null) {
    log.warn('an operator without a role was refused')
    throw problem(403, 'role', `Your account at ${provider.host} has no access to this console`)
  }
  await audit.write({ actor: nameOf(identity), action: 'operator.sign-in', target: null, detail: role })
  return { token: await sessions.open(identity) }
}

function refusalOf({ kind }: Pick<Refused, 'kind'>, host: string) {
  if (kind === 'denied') return problem(403, 'denied', `${host} was not allowed to sign you in`)
  if (kind === 'unreachable') return problem(502, 'provider', `${host} does not answer. Try again later`)
  return problem(401, 'sign-in', `The answer of ${host} was not valid. Start again`)
}

function configured(signIn: OidcSignIn | null): OidcSignIn {
  if (signIn === null) throw problem(404, 'oidc', 'This gateway has tokens only')
  return signIn
}
