/**
 * The signed-in operator, from the claims of a checked ID token.
 *
 * 1. Only a rule of the settings gives a role; of several, the one with more rights.
 * 2. `email` counts unless the provider calls it unverified, and for a role only if verified: some providers let users
 *    write any address.
 * 3. A name ends with the subject in parentheses: it cannot look like another operator's or a token's.
 */
import type { Role } from '../role'
import type { RoleRule } from './config'

export type Grant = Pick<RoleRule, 'claim' | 'value'>

export type Claims = Readonly<Record<string, unknown>>

export type Identity = {
  readonly subject: string
  readonly email: string | null
  readonly grants: readonly Grant[]
}

const plainEmail = /^[^\s()<>@\p{C}]{1,64}@[^\s()<>@\p{C}]{1,255}$/u
/** OpenID Connect: at most 255 ASCII characters. */
const plainSubject = /^[\x20-\x7e]{1,255}$/

/** Null for a subject that OpenID Connect forbids. */
export function identityOf(claims: Claims, rules: readonly RoleRule[]): Identity | null {
  const { sub, email, email_verified: verified } = claims
  if (typeof sub !== 'string' || !plainSubject.test(sub)) return null
  const grants = rules
    .filter(({ claim, value }) => has(claims, claim, value) && (claim !== 'email' || verified === true))
    .map(({ claim, value }) => ({ claim, value }))
  const isUsable = typeof email === 'string' && plainEmail.test(email) && verified !== false
  return { subject: sub, email: isUsable ? email : null, grants }
}

export function roleOf(grants: readonly Grant[], rules: readonly RoleRule[]): Role | null {
  const roles = rules
    .filter(({ claim, value }) => grants.some((grant) => grant.claim === claim && grant.value === value))
    .map(({ role }) => role)
  return roles.includes('admin') ? 'admin' : (roles[0] ?? null)
}

export function nameOf({ subject, email }: Pick<Identity, 'subject' | 'email'>): string {
  return email === null ? `(${subject})` : `${email} (${subject})`
}

function has(claims: Claims, claim: string, value: string): boolean {
  const found = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  return found === value || (Array.isArray(found) && found.includes(value))
}
