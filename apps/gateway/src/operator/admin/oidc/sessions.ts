/**
 * Sessions of operators who signed in at the provider, shared by replicas.
 *
 * 1. The database has hashes of the secrets only.
 * 2. A sign-in can be finished once, within ten minutes.
 * 3. A session ends after eight hours, however it is used, and when its operator signs out.
 * 4. Today's settings decide: a session of another provider, or whose values have no role any more, is refused.
 * 5. An operator is named by the email address in any case, the subject, or both as in the audit log. All sessions of
 *    the named subjects end, whatever address they have.
 */
import { and, desc, eq, gt, inArray, lte, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { operatorSessions, operatorSignIns } from '../../../platform/db/admin-schema'
import type { Database } from '../../../platform/db/open'
import { sweepRows } from '../../../platform/db/sweep'
import type { Operator, Role } from '../role'
import type { OidcConfig } from './config'
import { type Identity, nameOf, roleOf } from './identity'
import type { Secrets } from './provider'

const signInLifetimeMs = 600_000
const sessionLifetimeMs = 8 * 3_600_000

const Grants = z.array(z.object({ claim: z.string(), value: z.string() }))

export type OpenSession = {
  /** `sessionId` of an operator. */
  readonly id: string
  readonly operator: string
  readonly role: Role
  /** ISO 8601, UTC. */
  readonly signedInAt: string
  readonly expiresAt: string
}

export type OidcSessions = {
  /** @returns the secret for {@link take}. */
  keep(secrets: Secrets): Promise<string>
  /** Null for an unknown, used or expired ticket. */
  take(ticket: string): Promise<Secrets | null>
  /** @returns the token. */
  open(identity: Identity): Promise<string>
  find(token: string): Promise<Operator | null>
  /** Newest first. */
  list(): Promise<OpenSession[]>
  end(id: string): Promise<void>
  /** Requirement 5. @returns how many sessions ended. */
  endAllOf(who: string): Promise<number>
}

export type SessionTools = {
  /** Epoch ms. */
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
  const isOpen = () => and(eq(operatorSessions.issuer, issuer), gt(operatorSessions.expiresAt, soon(0)))
  return {
    async keep(secrets) {
      await sweepRows(orm, operatorSignIns, lte(operatorSignIns.expiresAt, soon(0)))
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
      await sweepRows(orm, operatorSessions, lte(operatorSessions.expiresAt, soon(0)))
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
        .where(and(eq(operatorSessions.id, hashSecret(token)), isOpen()))
      if (row === undefined) return null
      const role = roleOf(Grants.parse(row.grants), roles)
      return role === null ? null : { name: nameOf(row), role, sessionId: row.id }
    },
    async list() {
      const rows = await orm.select().from(operatorSessions).where(isOpen()).orderBy(desc(operatorSessions.expiresAt))
      return rows.flatMap((row) => {
        const role = roleOf(Grants.parse(row.grants), roles)
        if (role === null) return []
        const expiresAt = row.expiresAt.toISOString()
        const signedInAt = new Date(row.expiresAt.getTime() - sessionLifetimeMs).toISOString()
        return [{ id: row.id, operator: nameOf(row), role, signedInAt, expiresAt }]
      })
    },
    async end(id) {
      await orm.delete(operatorSessions).where(eq(operatorSessions.id, id))
    },
    async endAllOf(who) {
      const { text, subject } = readName(who)
      const named = await orm
        .select({ subject: operatorSessions.subject })
        .from(operatorSessions)
        .where(
          or(
            inArray(operatorSessions.subject, [text, ...(subject === null ? [] : [subject])]),
            eq(sql`lower(${operatorSessions.email})`, text.toLowerCase()),
          ),
        )
      if (named.length === 0) return 0
      const subjects = named.map((row) => row.subject)
      const ended = await orm
        .delete(operatorSessions)
        .where(inArray(operatorSessions.subject, subjects))
        .returning({ id: operatorSessions.id })
      return ended.length
    },
  }
}

/** Requirement 5. `subject`: of the form in the audit log. */
function readName(who: string): { readonly text: string; readonly subject: string | null } {
  const text = who.trim()
  return { text, subject: /^(?:\S+ )?\((.+)\)$/.exec(text)?.[1] ?? null }
}
