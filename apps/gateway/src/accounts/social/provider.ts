/**
 * A sign-in at one provider: the authorization URL, and the user of the returned code.
 *
 * 1. Every provider gets PKCE (S256) and state; some ignore PKCE (RFC 6749 §3.1).
 * 2. An ID token needs the provider's signature, and the right issuer, audience, expiry and nonce.
 * 3. Without an ID token, the access token goes only to the provider's own endpoint.
 * 4. An email address needs the provider's verification, and never links accounts.
 * 5. An exchange takes at most ten seconds, reads at most 256 kB a response, and follows no redirect.
 * 6. A failure has a fixed reason: a provider's message may contain a token.
 */
import { createHmac } from 'node:crypto'
import type { SocialProvider } from '@postern/protocol'
import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from 'arctic'
import { createRemoteJWKSet, customFetch, importPKCS8, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { parseJson } from '../../platform/parse-json'
import { fetchText } from '../../platform/upstreams/attempt'
import type { SocialCredentials } from '../../projects/social-credentials'
import type { Endpoints } from './endpoints'

/** In ms. */
const defaultTimeout = 10_000
const maxResponseBytes = 262_144

export type ProviderIdentity = {
  readonly subject: string
  readonly email: string | null
  readonly userName: string | null
}

export type ProviderFailure = 'no answer' | 'token refused' | 'no identity' | 'bad ID token'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  constructor(readonly reason: ProviderFailure) {
    super(reason)
  }
}

export type Provider = {
  readonly formPost: boolean
  authorizationUrl(request: { readonly state: string; readonly codeVerifier: string; readonly nonce: string }): string
  /** @throws {ProviderError} */
  identify(exchange: {
    readonly code: string
    readonly codeVerifier: string
    readonly nonce: string
  }): Promise<ProviderIdentity>
}

export type ProvidersOf = (projectId: string) => ReadonlyMap<SocialProvider, Provider>

export type ProviderOptions = {
  readonly provider: SocialProvider
  readonly credentials: SocialCredentials
  readonly endpoints: Endpoints
  readonly redirectUri: string
  readonly fetch: typeof globalThis.fetch
  /** Epoch milliseconds. */
  readonly now: () => number
  /** In ms. */
  readonly timeout?: number
}

export function createProvider(options: ProviderOptions): Provider {
  const { provider, credentials, endpoints, redirectUri, now, timeout = defaultTimeout } = options
  const { clientId } = credentials
  const client = new OAuth2Client(clientId, null, redirectUri)
  const { who } = endpoints
  const keys =
    who.kind === 'idToken'
      ? createRemoteJWKSet(new URL(who.keys), { timeoutDuration: timeout / 2, [customFetch]: options.fetch })
      : null

  return {
    formPost: endpoints.formPost === true,

    authorizationUrl({ state, codeVerifier, nonce }) {
      const { authorize, scopes, formPost } = endpoints
      const url = client.createAuthorizationURLWithPKCE(authorize, state, CodeChallengeMethod.S256, codeVerifier, [
        ...scopes,
      ])
      if (who.kind === 'idToken') url.searchParams.set('nonce', nonce)
      if (formPost) url.searchParams.set('response_mode', 'form_post')
      return url.href
    },

    async identify({ code, codeVerifier, nonce }) {
      const deadline = now() + timeout
      const tokens = await exchange(code, codeVerifier, deadline)
      if (keys !== null && who.kind === 'idToken') {
        const idToken = read(() => tokens.idToken(), 'bad ID token')
        return withDeadline(deadline, verifyIdToken({ idToken, nonce, keys, issuers: who.issuers, clientId, now }))
      }
      if (who.kind !== 'userInfo') throw new ProviderError('no identity')
      const accessToken = read(() => tokens.accessToken(), 'token refused')
      const headers = { Authorization: `Bearer ${accessToken}`, Accept: 'application/json', 'User-Agent': 'postern' }
      const ask = async (address: string) => (await request(address, { headers }, deadline)).value
      const value = await ask(withProof(who.url, accessToken))
      // GitHub has verified addresses elsewhere.
      return readIdentity(provider, value, who.emails === undefined ? undefined : await ask(who.emails))
    },
  }

  async function exchange(code: string, codeVerifier: string, deadline: number): Promise<OAuth2Tokens> {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    })
    const headers = new Headers({ Accept: 'application/json', 'User-Agent': 'postern' })
    if (endpoints.secret === 'basic') {
      headers.set('Authorization', `Basic ${basic(clientId, await secretOf())}`)
    } else {
      body.set('client_id', clientId)
      body.set('client_secret', await secretOf())
    }
    const { status, value } = await request(endpoints.token, { method: 'POST', headers, body }, deadline)
    if (status !== 200) throw new ProviderError('token refused')
    return new OAuth2Tokens(value)
  }

  async function secretOf(): Promise<string> {
    if ('clientSecret' in credentials) return credentials.clientSecret
    const { teamId, keyId, privateKey } = credentials
    const issuedAt = Math.floor(now() / 1000)
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience('https://appleid.apple.com')
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 300)
      .sign(await importPKCS8(privateKey, 'ES256'))
  }

  /** Facebook can require a proof of the app secret. */
  function withProof(address: string, accessToken: string): string {
    if (provider !== 'facebook' || !('clientSecret' in credentials)) return address
    const url = new URL(address)
    const proof = createHmac('sha256', credentials.clientSecret).update(accessToken).digest('hex')
    url.searchParams.set('appsecret_proof', proof)
    return url.href
  }

  async function request(
    address: string,
    init: RequestInit,
    deadline: number,
  ): Promise<{ readonly status: number; readonly value: object }> {
    const left = deadline - now()
    if (left <= 0) throw new ProviderError('no answer')
    let answer: Awaited<ReturnType<typeof fetchText>>
    try {
      answer = await fetchText(address, init, left, { fetch: options.fetch, maxResponseBytes })
    } catch {
      throw new ProviderError('no answer')
    }
    const { status } = answer.response
    if (status >= 500) throw new ProviderError('no answer')
    const value = parseJson(answer.text)
    if (typeof value !== 'object' || value === null) throw new ProviderError('no answer')
    return { status, value }
  }

  async function withDeadline<T>(deadline: number, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ProviderError('no answer')), Math.max(0, deadline - now()))
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

const Subject = z.string().check(z.minLength(1), z.maxLength(255))
const Name = z.catch(z.nullish(z.string().check(z.trim(), z.minLength(1), z.maxLength(128))), null)
const Email = z.catch(z.nullish(z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/), z.maxLength(254))), null)
/** Apple sends the string `"true"`. */
const Verified = z.catch(z.nullish(z.union([z.boolean(), z.literal('true')])), false)
const NumericId = z.union([z.int().check(z.positive()), z.string().check(z.regex(/^\d{1,32}$/))])

const IdToken = z.object({
  sub: Subject,
  nonce: z.string(),
  email: Email,
  email_verified: Verified,
  name: Name,
})

async function verifyIdToken(expected: {
  readonly idToken: string
  readonly nonce: string
  readonly keys: JWTVerifyGetKey
  readonly issuers: readonly string[]
  readonly clientId: string
  readonly now: () => number
}): Promise<ProviderIdentity> {
  let payload: unknown
  try {
    const verified = await jwtVerify(expected.idToken, expected.keys, {
      issuer: [...expected.issuers],
      audience: expected.clientId,
      algorithms: ['RS256', 'ES256'],
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      clockTolerance: 60,
      currentDate: new Date(expected.now()),
    })
    payload = verified.payload
  } catch {
    throw new ProviderError('bad ID token')
  }
  const claims = IdToken.safeParse(payload)
  if (!claims.success || claims.data.nonce !== expected.nonce) throw new ProviderError('bad ID token')
  const { sub, email, email_verified, name } = claims.data
  return { subject: sub, email: verifiedOnly(email, email_verified), userName: name ?? null }
}

const GitHubUser = z.object({ id: NumericId, login: Name })
const GitHubEmails = z.catch(z.array(z.object({ email: Email, primary: z.boolean(), verified: z.boolean() })), [])
const FacebookUser = z.object({ id: NumericId, name: Name, email: Email })
const XUser = z.object({ data: z.object({ id: NumericId, username: Name }) })
const DiscordUser = z.object({ id: NumericId, username: Name, global_name: Name, email: Email, verified: Verified })

function readIdentity(provider: SocialProvider, value: unknown, emails: unknown): ProviderIdentity {
  switch (provider) {
    case 'github': {
      const { id, login } = parse(GitHubUser, value)
      const primary = GitHubEmails.parse(emails).find((entry) => entry.primary && entry.verified)
      return { subject: String(id), email: primary?.email ?? null, userName: login ?? null }
    }
    case 'facebook': {
      // Facebook returns only confirmed addresses.
      const { id, name, email } = parse(FacebookUser, value)
      return { subject: String(id), email: email ?? null, userName: name ?? null }
    }
    case 'x': {
      const { id, username } = parse(XUser, value).data
      return { subject: String(id), email: null, userName: username ?? null }
    }
    case 'discord': {
      const { id, username, global_name, email, verified } = parse(DiscordUser, value)
      return { subject: String(id), email: verifiedOnly(email, verified), userName: global_name ?? username ?? null }
    }
    case 'google':
    case 'apple':
      throw new ProviderError('no identity')
  }
}

function parse<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new ProviderError('no identity')
  return parsed.data
}

function verifiedOnly(email: string | null | undefined, verified: boolean | 'true' | null | undefined): string | null {
  return email != null && (verified === true || verified === 'true') ? email : null
}

/** arctic throws if a field is missing. */
function read(get: () => string, reason: ProviderFailure): string {
  try {
    return get()
  } catch {
    throw new ProviderError(reason)
  }
}

/** RFC 6749 §2.3.1: form-encode both parts. */
function basic(id: string, secret: string): string {
  return Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')
}
