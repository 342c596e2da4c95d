/** Who somebody says to be, and how each provider puts that into words. */
import { createHash } from 'node:crypto'
import type { Provider } from './clients'

export type Identity = {
  /** Their name at the provider; with the same name somebody is the same user again. */
  readonly name: string
  /** Empty for somebody who gave the provider none, or lets nobody see it. */
  readonly email: string
  /** Whether the provider made sure that the address is theirs. */
  readonly verified: boolean
}

/** Decimal, as most providers have it; below 2^48, so that a number holds it. */
export function subjectOf(provider: Provider, { name }: Identity): string {
  const digest = createHash('sha256').update(`${provider} ${name.trim().toLowerCase()}`).digest()
  return `${digest.readUIntBE(0, 6)}`
}

const userName = ({ name }: Identity) => name.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** Claims of an ID token; only Google and Apple give one. Sources: their OpenID Connect documentation. */
export function claimsOf(provider: 'google' | 'apple', identity: Identity): Record<string, unknown> {
  const { name, email, verified } = identity
  const sub = subjectOf(provider, identity)
  if (provider === 'apple') {
    // Apple's subjects are dotted, and its truths have been text.
    const mail = email === '' ? {} : { email, email_verified: verified ? 'true' : 'false' }
    return { sub: `000000.${sub}.0000`, ...mail, nonce_supported: true }
  }
  return { sub, ...(email !== '' && { email, email_verified: verified }), name, given_name: name.split(' ')[0] ?? name }
}

/** What the endpoint of the provider's own answers about whoever an access token stands for. */
export function userInfoOf(provider: Provider, identity: Identity): unknown {
  const { name, email, verified } = identity
  const id = subjectOf(provider, identity)
  switch (provider) {
    case 'google':
      return claimsOf('google', identity)
    case 'apple':
      return null
    case 'github':
      // The public address, which most people hide; `/user/emails` has them all.
      return { login: userName(identity), id: Number(id), type: 'User', name, email: null }
    case 'facebook':
      // An address that was not confirmed is not told.
      return { id, name, ...(email !== '' && verified && { email }) }
    case 'x':
      return { data: { id, name, username: userName(identity) } }
    case 'discord':
      return {
        id,
        username: userName(identity),
        global_name: name,
        discriminator: '0',
        avatar: null,
        email: email === '' ? null : email,
        verified,
      }
  }
}

/** GitHub's `/user/emails`. */
export const emailsOf = ({ email, verified }: Identity) =>
  email === '' ? [] : [{ email, primary: true, verified, visibility: 'private' }]
