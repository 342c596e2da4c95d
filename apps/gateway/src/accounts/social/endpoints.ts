/** From each provider's documentation. */
import type { SocialProvider } from '@postern/protocol'

export type Endpoints = {
  readonly authorize: string
  readonly token: string
  readonly scopes: readonly string[]
  /** At the token endpoint (RFC 6749 §2.3.1). */
  readonly secret: 'basic' | 'body' | 'signed'
  readonly who:
    | { readonly kind: 'idToken'; readonly keys: string; readonly issuers: readonly string[] }
    | { readonly kind: 'userInfo'; readonly url: string; readonly emails?: string }
  /** Apple responds by POST if asked for the email. */
  readonly formPost?: true
}

const own: Readonly<Record<SocialProvider, Endpoints>> = {
  google: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    scopes: ['openid', 'email', 'profile'],
    secret: 'body',
    who: {
      kind: 'idToken',
      keys: 'https://www.googleapis.com/oauth2/v3/certs',
      issuers: ['https://accounts.google.com', 'accounts.google.com'],
    },
  },
  github: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    scopes: ['read:user', 'user:email'],
    secret: 'body',
    who: { kind: 'userInfo', url: 'https://api.github.com/user', emails: 'https://api.github.com/user/emails' },
  },
  apple: {
    authorize: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    scopes: ['email'],
    secret: 'signed',
    who: { kind: 'idToken', keys: 'https://appleid.apple.com/auth/keys', issuers: ['https://appleid.apple.com'] },
    formPost: true,
  },
  facebook: {
    authorize: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    scopes: ['public_profile', 'email'],
    secret: 'body',
    who: { kind: 'userInfo', url: 'https://graph.facebook.com/v23.0/me?fields=id,name,email' },
  },
  x: {
    authorize: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    // `/2/users/me` requires `tweet.read`.
    scopes: ['users.read', 'tweet.read'],
    secret: 'basic',
    who: { kind: 'userInfo', url: 'https://api.x.com/2/users/me' },
  },
  discord: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    scopes: ['identify', 'email'],
    secret: 'basic',
    who: { kind: 'userInfo', url: 'https://discord.com/api/users/@me' },
  },
}

/** @param base a stand-in for all providers. */
export function endpointsOf(provider: SocialProvider, base?: string): Endpoints {
  const real = own[provider]
  if (base === undefined) return real
  const at = `${base}/${provider}`
  return {
    ...real,
    authorize: `${at}/authorize`,
    token: `${at}/token`,
    who:
      real.who.kind === 'idToken'
        ? { kind: 'idToken', keys: `${at}/keys`, issuers: [at] }
        : {
            kind: 'userInfo',
            url: `${at}/userinfo`,
            ...(real.who.emails === undefined ? {} : { emails: `${at}/emails` }),
          },
  }
}
