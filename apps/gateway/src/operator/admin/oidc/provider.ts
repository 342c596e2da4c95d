/**
 * 1. Discovery happens at the first sign-in and again after an hour: a gateway starts without its provider.
 * 2. Each sign-in has its own state, nonce and PKCE verifier.
 * 3. The ID token's signature is checked although the provider sends it directly.
 * 4. Claims that the ID token lacks come from the UserInfo endpoint, of the same subject: some providers have groups
 *    only there.
 * 5. Of what the provider sends, only an error's code is logged.
 */
import * as oidc from 'openid-client'
import { callbackPath, type OidcConfig } from './config'
import type { Claims } from './identity'

export type Secrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** `reason` is for the log. */
type Failed = { readonly kind: 'invalid' | 'unreachable'; readonly reason: string }
export type Refused = { readonly kind: 'denied' } | Failed

export type OidcProvider = {
  readonly host: string
  begin(): Promise<{ readonly kind: 'begun'; readonly url: string; readonly secrets: Secrets } | Failed>
  /** @param query that the provider added to the callback. */
  finish(query: string, secrets: Secrets): Promise<{ readonly kind: 'claims'; readonly claims: Claims } | Refused>
}

const discoveryPeriodMs = 3_600_000
const timeoutSeconds = 10
/** No response, or one such as 503. */
const down: ReadonlySet<string> = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'])

export function createOidcProvider(
  { issuer, clientId, clientSecret, scope, roles }: OidcConfig,
  /** Of the console. */
  origin: string,
  now: () => number,
): OidcProvider {
  const redirectUri = `${origin}${callbackPath}`
  const wantedClaims = ['email', ...roles.map(({ claim }) => claim)]
  let discovered: { readonly at: number; readonly client: Promise<oidc.Configuration> } | null = null

  function discover(): Promise<oidc.Configuration> {
    if (discovered !== null && now() - discovered.at < discoveryPeriodMs) return discovered.client
    const client = oidc.discovery(new URL(issuer), clientId, undefined, clientAuth(clientSecret), {
      timeout: timeoutSeconds,
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
    })
    const attempt = { at: now(), client }
    discovered = attempt
    client.catch(() => {
      if (discovered === attempt) discovered = null
    })
    return client
  }

  return {
    host: new URL(issuer).host,

    async begin() {
      const client = await discover().catch(failedBy)
      if ('kind' in client) return client
      const secrets = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      })
      return { kind: 'begun', url: url.href, secrets }
    },

    async finish(query, { state, nonce, verifier }) {
      try {
        const callback = new URL(redirectUri)
        callback.search = query
        const client = await discover()
        const tokens = await oidc.authorizationCodeGrant(client, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) return { kind: 'invalid', reason: 'no ID token' }
        const isComplete = wantedClaims.every((claim) => Object.hasOwn(claims, claim))
        if (isComplete || client.serverMetadata().userinfo_endpoint === undefined) return { kind: 'claims', claims }
        const userInfo = await oidc.fetchUserInfo(client, tokens.access_token, claims.sub)
        return { kind: 'claims', claims: together(claims, userInfo) }
      } catch (error) {
        return refusedBy(error)
      }
    },
  }
}

/** The method in the provider's metadata; default `client_secret_basic`. */
function clientAuth(secret: string): oidc.ClientAuth {
  const post = oidc.ClientSecretPost(secret)
  const basic = oidc.ClientSecretBasic(secret)
  return (as, ...rest) => {
    const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(as, ...rest)
  }
}

/** An address and its verification come from the same place. */
function together(idToken: Claims, userInfo: Claims): Claims {
  const { email, email_verified, ...others } = userInfo
  return { ...(idToken.email === undefined ? userInfo : others), ...idToken }
}

function refusedBy(error: unknown): Refused {
  const isDenied = error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied'
  return isDenied ? { kind: 'denied' } : failedBy(error)
}

function failedBy(error: unknown): Failed {
  if (error instanceof oidc.ResponseBodyError) return { kind: 'invalid', reason: error.error }
  if (error instanceof oidc.WWWAuthenticateChallengeError) {
    return { kind: 'invalid', reason: error.cause[0]?.parameters.error ?? error.code }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  // `fetch` rejects with a TypeError without a code.
  const isDown = down.has(code) || (error instanceof TypeError && code === 'unknown')
  return { kind: isDown ? 'unreachable' : 'invalid', reason: code }
}
