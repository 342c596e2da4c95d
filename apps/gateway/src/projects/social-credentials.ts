import type { SocialProvider } from '@postern/protocol'

/** `apple` signs a client secret for each use; others have a fixed one. */
export type SocialCredentials =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly clientId: string; readonly teamId: string; readonly keyId: string; readonly privateKey: string }

export type Credentials = ReadonlyMap<SocialProvider, SocialCredentials>

/** @returns PEM; null if the text is neither PEM nor base64. */
export function readPrivateKey(text: string): string | null {
  const body = text.replace(/-----(?:BEGIN|END) PRIVATE KEY-----/g, '').replace(/\\n|\s/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(body)
    ? `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`
    : null
}
