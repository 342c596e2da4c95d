/**
 * Operators who signed in at the provider, in the database: every replica knows them.
 *
 * 1. The database has hashes of the secrets only.
 * 2. A sign-in can be finished once, within ten minutes.
 * 3. A session ends after eight hours, however it is used; and when its operator signs out.
 * 4. The settings of today decide: a session of another provider, or whose values no longer have a role, is refused.
 */
import { and, eq, gt, lte, or } from 'drizzle-orm'
import * as z from 'zod/mini'
import { operatorSessions, operatorSignIns } from '../../db/admin-schema'
import type { Database } from '../../db/open'
import type { Operator } from '../role'
import type { OidcConfig } from './config'
import { type Identity, nameOf, roleOf } from './identity'
import type { Secrets } from './provider'

const signInLifetimeMs = 600_000
const sessionLifetimeMs = 8 * 3_600_000

const Grants = z.array(z.object({ claim: z.string(), value: z.string() }))

export type OidcSessions = {
  /** @returns the secret for {@link take}. */
  keep(secrets: Secrets): Promise<string>
  /** Null for an unknown, used or expired one. */
  take(ticket: string): Promise<Secrets | null>
  /** @returns the token. */
  open(identity: Identity): Promise<string>
  find(token: string): Promise<Operator | null>
  /** @param id `sessionId` of an operator. */
  end(id: string): Promise<void>
  /** All sessions of a subject or email address. */
  endAllOf(who: string): Promise<void>
}

export type SessionTools = {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** 256 bits in base64url. */
  readonly newSecret: () => string
  readonly hashSecret: (secret: string) => string
}

export function createOidcSessions(
  { orm }: Pick<Database, 'orm'>,
  { issuer, roles }: Pick<OidcConfig, 'issuer' | 'roles'>,
  { now, newSecret, hashSecret }: SessionTools,
): OidcSessions {
  const soon = (milliseconds: number) => new Date(now() + milliseconds)
  return {
    async keep(secrets) {
      await orm.delete(operatorSignIns).where(lte(operatorSignIns.expiresAt, soon(0)))
      const ticket = newSecret()
      await orm
        .insert(operatorSignIns)
        .values({ id: hashSecret(ticket), ...secrets, expiresAt: soon(signInLifetimeMs) })
      return ticket
    },
    async take(ticket) {
      const [row] = await orm
        .delete(operatorSignIns)
        .where(eq(operatorSignIns.id, hashSecret(ticket)))
        .returning()
      if (row === undefined || row.expiresAt.getTime() <= now()) return null
      return { state: row.state, nonce: row.nonce, verifier: row.verifier }
    },
    async open({ subject, email, grants }) {
      await orm.delete(operatorSessions).where(lte(operatorSessions.expiresAt, soon(0)))
      const token = newSecret()
      await orm
        .insert(operatorSessions)
        .values({ id: hashSecret(token), issuer, subject, email, grants, expiresAt: soon(sessionLifetimeMs) })
      return token
    },
    async find(token) {
      const [row] = await orm
        .select()
        .from(operatorSessions)
        .where(
          and(
            eq(operatorSessions.id, hashSecret(token)),
            eq(operatorSessions.issuer, issuer),
            gt(operatorSessions.expiresAt, soon(0)),
          ),
        )
      if (row === undefined) return null
      const role = roleOf(Grants.parse(row.grants), roles)
      return role === null ? null : { name: nameOf(row), role, sessionId: row.id }
    },
    async end(id) {
      await orm.delete(operatorSessions).where(eq(operatorSessions.id, id))
    },
    async endAllOf(who) {
      await orm.delete(operatorSessions).where(or(eq(operatorSessions.subject, who), eq(operatorSessions.email, who)))
    },
  }
}
