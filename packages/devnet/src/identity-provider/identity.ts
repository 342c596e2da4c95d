import { createHash } from 'node:crypto'
import type { Provider } from './clients'

export type Identity = {
  /** The same name is the same user. */
  readonly name: string
  /** Empty if hidden or not given. */
  readonly email: string
  readonly verified: boolean
}

/** A decimal number below 2^48, so that it fits a number type. */
function subjectOf(provider: Provider, { name }: Identity): string {
  const digest = createHash('sha256').update(`${provider} ${name.trim().toLowerCase()}`).digest()
  return `${digest.readUIntBE(0, 6)}`
}

const userName = ({ name }: Identity) => name.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** Sources: their OpenID Connect documentation. */
export function claimsOf(provider: 'google' | 'apple', identity: Identity): Record<string, unknown> {
  const { name, email, verified } = identity
  const sub = subjectOf(provider, identity)
  if (provider === 'apple') {
    // Apple: dotted subjects, booleans as text.
    const mail = email === '' ? {} : { email, email_verified: verified ? 'true' : 'false' }
    return { sub: `000000.${sub}.0000`, ...mail, nonce_supported: true }
  }
  return { sub, ...(email !== '' && { email, email_verified: verified }), name, given_name: name.split(' ')[0] ?? name }
}

export function userInfoOf(provider: Provider, identity: Identity): unknown {
  const { name, email, verified } = identity
  const id = subjectOf(provider, identity)
  switch (provider) {
    case 'google':
      return claimsOf('google', identity)
    case 'apple':
      return null
    case 'github':
      // The public address, usually hidden; `/user/emails` lists all.
      return { login: userName(identity), id: Number(id), type: 'User', name, email: null }
    case 'facebook':
      // Omits an unverified address.
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
