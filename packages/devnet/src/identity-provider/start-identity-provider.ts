import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { styleSheet } from '../http/page'
import {
  type Answer,
  type HttpCall,
  json,
  parseJson,
  Refusal,
  type RunningServer,
  redirect,
  serve,
} from '../http/serve'
import { isProvider, type Provider, providers, secretOfClient } from './clients'
import { codeLifetime, createIdTokens, createVault, type Grant, isClient, isVerifierOf } from './grants'
import { emailsOf, userInfoOf } from './identity'
import { authorizePage, formPostPage, indexPage, refusedPage, submitScript } from './view'

export type IdentityProvider = RunningServer & { readonly url: string }

const Name = z.enum(providers)
const Fault = z.object({
  provider: Name,
  /**
   * `down`: 503 for the client, but not for the user's page. `slow`: the token comes after `ms`.
   * Others corrupt the result. A fault stays until `none`.
   */
  kind: z.enum(['none', 'down', 'slow', 'bad-state', 'bad-nonce', 'bad-signature']),
  ms: z.int().min(0).max(60_000).default(15_000),
})
type Fault = z.infer<typeof Fault>
const Opener = z.object({ provider: Name, severed: z.boolean() })

/** Other parameters are ignored. */
const Request = z.object({
  response_type: z.literal('code'),
  client_id: z.string(),
  redirect_uri: z.url(),
  scope: z.string().default(''),
  state: z.string().min(1),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .optional(),
  code_challenge_method: z.literal('S256').optional(),
  nonce: z.string().optional(),
  response_mode: z.enum(['query', 'form_post']).optional(),
})
type Request = z.infer<typeof Request>

const Answered = z.object({
  answer: z.enum(['allow', 'deny']),
  name: z.string().trim().max(64).default(''),
  email: z.union([z.email(), z.literal('')]).default(''),
  verified: z.enum(['yes', 'no']).default('yes'),
})

/**
 * Mocks of the social providers, each in its own formats.
 * Paths: `/{provider}/authorize`, `/token`, `/userinfo`, `/emails` (GitHub) and `/keys` (Google, Apple).
 *
 * 1. A code is bound to one client, one redirect URI and one PKCE verifier. It works once, for a minute.
 * 2. A denial or an invalid request redirects to the client only if client and redirect URI are known.
 * 3. X requires PKCE. Apple uses `form_post` if an email address was requested, and accepts a client secret signed with
 *    ES256.
 * 4. ID tokens (Google, Apple) are RS256, have the nonce, and are issued by `{requested origin}/{provider}`.
 * 5. `POST /devnet/fault` sets a fault; `POST /devnet/opener` makes the page sever its opener (COOP), like Google's.
 */
export async function startIdentityProvider({
  port,
  signal,
  now = Date.now,
}: {
  readonly port: number
  readonly signal?: AbortSignal | undefined
  readonly now?: () => number
}): Promise<IdentityProvider> {
  const faults = new Map<Provider, Fault>()
  const severed = new Set<Provider>()
  const codes = createVault<Grant>()
  const accessTokens = createVault<Pick<Grant, 'provider' | 'clientId' | 'identity'>>()
  const idTokens = createIdTokens({ now })
  const faultOf = (provider: Provider) => faults.get(provider)?.kind ?? 'none'

  function authorize(provider: Provider, parameters: Readonly<Record<string, string>>, answered: unknown): Answer {
    const parsed = Request.safeParse(parameters)
    if (!parsed.success) return refusedPage(`${parsed.error.issues[0]?.path.join('.')} is missing or invalid.`)
    const request = parsed.data
    const home = new URL(request.redirect_uri)
    if (secretOfClient(provider, request.client_id) === null) return refusedPage('This client is not registered.')
    if (!/^(127\.0\.0\.1|([a-z0-9-]+\.)*localhost)$/.test(home.hostname))
      return refusedPage('This redirect URI is not registered.')
    const back = (answer: Record<string, string>) => redirectToClient(provider, request, answer)
    if (provider === 'x' && request.code_challenge === undefined)
      return back({ error: 'invalid_request', error_description: 'code_challenge is required' })
    if (answered === null) {
      const headers: Record<string, string> = severed.has(provider)
        ? { 'cross-origin-opener-policy': 'same-origin' }
        : {}
      return authorizePage(provider, { request: parameters, client: home.origin, headers })
    }
    const decision = Answered.safeParse(answered)
    if (!decision.success) return refusedPage('The form is not valid.')
    const { answer, name, email, verified } = decision.data
    if (answer === 'deny') return back(refusalOf[provider])
    if (name === '') return refusedPage('Enter a name.')
    const code = codes.put({
      provider,
      clientId: request.client_id,
      redirectUri: request.redirect_uri,
      scope: request.scope,
      identity: { name, email, verified: verified === 'yes' },
      expiresAt: now() + codeLifetime,
      ...(request.code_challenge !== undefined && { challenge: request.code_challenge }),
      ...(request.nonce !== undefined && { nonce: request.nonce }),
    })
    return back({ code })
  }

  function redirectToClient(provider: Provider, request: Request, answer: Record<string, string>): Answer {
    const state = faultOf(provider) === 'bad-state' ? 'wrong-state' : request.state
    const fields = { ...answer, state }
    if (request.response_mode === 'form_post') return formPostPage(request.redirect_uri, fields)
    const url = new URL(request.redirect_uri)
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
    return redirect(url.href)
  }

  async function giveToken(provider: Provider, { body, headers, url, gone }: HttpCall): Promise<Answer> {
    const form = Object.fromEntries(new URLSearchParams(body))
    if (faultOf(provider) === 'slow') await delay(faults.get(provider)?.ms, undefined, { signal: gone }).catch(() => {})
    const proof = provider === 'x' || provider === 'discord' ? basic(headers.authorization) : inBody(form)
    if (proof === null || !(await isClient(provider, proof))) return tokenRefusal(provider, 'invalid_client')
    if (form.grant_type !== 'authorization_code') return tokenRefusal(provider, 'unsupported_grant_type')
    const grant = codes.take(form.code ?? '')
    const isRight =
      grant !== undefined &&
      grant.provider === provider &&
      grant.clientId === proof.id &&
      grant.redirectUri === form.redirect_uri &&
      grant.expiresAt > now() &&
      (grant.challenge === undefined || isVerifierOf(grant.challenge, form.code_verifier ?? ''))
    if (!isRight) return tokenRefusal(provider, 'invalid_grant')

    const { clientId, identity, scope, nonce } = grant
    const access = {
      access_token: accessTokens.put({ provider, clientId, identity }),
      token_type: provider === 'github' || provider === 'facebook' || provider === 'x' ? 'bearer' : 'Bearer',
      scope,
    }
    if (provider === 'github') return githubToken(access, headers.accept)
    const expiring = { ...access, expires_in: 3_600 }
    if (provider !== 'google' && provider !== 'apple') return json(expiring)
    const fault = faultOf(provider)
    const id_token = await idTokens.sign({
      issuer: `${url.origin}/${provider}`,
      provider,
      clientId,
      identity,
      nonce: fault === 'bad-nonce' ? 'wrong-nonce' : nonce,
      forged: fault === 'bad-signature',
    })
    return json({ ...expiring, id_token })
  }

  function tell(provider: Provider, { headers, url }: HttpCall, what: 'userinfo' | 'emails'): Answer {
    const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? url.searchParams.get('access_token') ?? ''
    const known = accessTokens.look(token)
    if (known?.provider !== provider) return json({ message: 'Bad credentials' }, 401)
    const proof = url.searchParams.get('appsecret_proof')
    if (provider === 'facebook' && proof !== null && proof !== proofOf(token, known.clientId))
      return json({ error: { message: 'Invalid appsecret_proof', type: 'GraphMethodException', code: 100 } }, 400)
    return json(what === 'emails' ? emailsOf(known.identity) : userInfoOf(provider, known.identity))
  }

  async function answer(call: HttpCall): Promise<Answer> {
    const { method, url, body } = call
    const { pathname, searchParams } = url
    if (method === 'GET' && pathname === '/') return indexPage()
    if (method === 'GET' && pathname === '/style.css') return styleSheet
    if (method === 'GET' && pathname === '/submit.js') return submitScript
    if (method === 'POST' && pathname === '/devnet/fault') {
      const fault = parseJson(Fault, body)
      faults.set(fault.provider, fault)
      return json(fault)
    }
    if (method === 'POST' && pathname === '/devnet/opener') {
      const opener = parseJson(Opener, body)
      if (opener.severed) severed.add(opener.provider)
      else severed.delete(opener.provider)
      return json(opener)
    }
    const [, name = '', endpoint = ''] = /^\/([a-z]+)\/([a-z]+)$/.exec(pathname) ?? []
    if (!isProvider(name)) throw new Refusal(404, 'Not found.')
    if (endpoint === 'authorize') {
      if (method === 'GET') return authorize(name, Object.fromEntries(searchParams), null)
      const { answer: decision, name: who, email, verified, ...request } = Object.fromEntries(new URLSearchParams(body))
      return authorize(name, request, { answer: decision, name: who, email, verified })
    }
    if (faultOf(name) === 'down') return { status: 503, body: 'Service unavailable' }
    const hasIdTokens = name === 'google' || name === 'apple'
    if (method === 'POST' && endpoint === 'token') return giveToken(name, call)
    if (method === 'GET' && endpoint === 'keys' && hasIdTokens) return json(await idTokens.keys())
    if (method === 'GET' && endpoint === 'userinfo' && name !== 'apple') return tell(name, call, 'userinfo')
    if (method === 'GET' && endpoint === 'emails' && name === 'github') return tell(name, call, 'emails')
    throw new Refusal(404, 'Not found.')
  }

  const server = await serve({ port, signal, answer })
  return { ...server, url: `http://id.localhost:${server.port}/` }
}

/** Parameters of a denial. */
const refusalOf: Readonly<Record<Provider, Record<string, string>>> = {
  google: { error: 'access_denied' },
  github: { error: 'access_denied', error_description: 'The user has denied your application access.' },
  apple: { error: 'user_cancelled_authorize' },
  facebook: { error: 'access_denied', error_code: '200', error_reason: 'user_denied' },
  x: { error: 'access_denied' },
  discord: {
    error: 'access_denied',
    error_description: 'The resource owner or authorization server denied the request',
  },
}

/** GitHub returns errors with 200, Facebook wraps them. */
function tokenRefusal(provider: Provider, error: string): Answer {
  if (provider === 'github')
    return json({ error: error === 'invalid_grant' ? 'bad_verification_code' : 'incorrect_client_credentials' })
  if (provider === 'facebook') return json({ error: { message: error, type: 'OAuthException', code: 100 } }, 400)
  return json({ error }, error === 'invalid_client' ? 401 : 400)
}

/** Form-encoded unless JSON was requested. */
const githubToken = (access: Record<string, string>, accept = ''): Answer =>
  accept.includes('application/json')
    ? json(access)
    : {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(access).toString(),
      }

const inBody = ({ client_id: id = '', client_secret: secret = '' }: Record<string, string>) => ({ id, secret })

/** RFC 6749 §2.3.1. */
function basic(header = ''): { readonly id: string; readonly secret: string } | null {
  const [, text] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header) ?? []
  if (text === undefined) return null
  const [id = '', secret = ''] = Buffer.from(text, 'base64').toString().split(':', 2)
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) }
  } catch {
    return null
  }
}

const proofOf = (token: string, clientId: string) =>
  createHmac('sha256', secretOfClient('facebook', clientId) ?? '')
    .update(token)
    .digest('hex')
