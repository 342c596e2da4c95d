/** The clients registered at the mock providers. Nothing here is secret. */
import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { type SocialProvider, socialProviders } from '@postern/protocol'

export const providers = socialProviders
export type Provider = SocialProvider
export const isProvider = (name: string): name is Provider => providers.some((provider) => provider === name)

export const clientIdOf = (provider: Provider) => `devnet.${provider}`
export const clientSecretOf = (provider: Provider) => `devnet-secret-of-${provider}`

/** A second registration, such as a dapp's own. Apple's belongs to the same team. */
const otherClientIdOf = (provider: Provider) => `other.${provider}`
const otherClientSecretOf = (provider: Provider) => `other-secret-of-${provider}`

/** Null if no client has the id. */
export function secretOfClient(provider: Provider, id: string): string | null {
  if (id === clientIdOf(provider)) return clientSecretOf(provider)
  return id === otherClientIdOf(provider) ? otherClientSecretOf(provider) : null
}

/** Key names of Apple's client secret, a signed token. */
export const apple = { teamId: 'DEVNETTEAM', keyId: 'DEVNETKEY1' } as const

/** The key is derived from a name, so that both sides have it without an exchange. */
export function appleKey(): KeyObject {
  const d = createHash('sha256').update('Postern devnet: key of the Apple client').digest()
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(d)
  const point = curve.getPublicKey()
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: part(1, 33), y: part(33, 65) }
  return createPrivateKey({ key, format: 'jwk' })
}

/** The second registrations, as `social` of a project's keys. */
export function otherSocialKeys(): Record<string, Record<string, string>> {
  const clients = providers.map((provider) => {
    const clientId = otherClientIdOf(provider)
    if (provider !== 'apple') return [provider, { clientId, clientSecret: otherClientSecretOf(provider) }] as const
    const privateKey = appleKey().export({ type: 'pkcs8', format: 'der' }).toString('base64')
    return [provider, { clientId, ...apple, privateKey }] as const
  })
  return Object.fromEntries(clients)
}

/** The clients' ids and secrets as variables of the gateway's environment. */
export function socialEnvironment(port: number): Record<string, string> {
  const secrets = providers
    .filter((provider) => provider !== 'apple')
    .flatMap((provider) => [
      [`${provider.toUpperCase()}_CLIENT_ID`, clientIdOf(provider)],
      [`${provider.toUpperCase()}_CLIENT_SECRET`, clientSecretOf(provider)],
    ])
  return {
    // Node may not resolve `*.localhost`, and browsers and gateway must use one address.
    SOCIAL_ENDPOINTS: `http://127.0.0.1:${port}`,
    ...Object.fromEntries(secrets),
    APPLE_CLIENT_ID: clientIdOf('apple'),
    APPLE_TEAM_ID: apple.teamId,
    APPLE_KEY_ID: apple.keyId,
    APPLE_PRIVATE_KEY: appleKey().export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  }
}
