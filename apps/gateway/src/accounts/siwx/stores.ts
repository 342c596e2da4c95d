/**
 * Used nonces, revoked sessions and signed messages of sign-ins, shared by the gateways of a database.
 *
 * 1. A nonce is accepted once.
 * 2. The tables reveal no nonce, account or signature: ids are hashed (96 random bits), contents sealed.
 * 3. Rows are deleted an hour late: clocks differ, and another gateway could accept a deleted nonce.
 */

import type { Proof, ProofStore, RevokedSessions, SpentNonces } from '@postern/siwx/server'
import { and, eq, gt, lt } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Database } from '../../platform/db/open'
import { siwxNonces, siwxProofs, siwxRevoked } from '../../platform/db/siwx-schema'
import { sweepRows } from '../../platform/db/sweep'
import { parseJson } from '../../platform/parse-json'
import { SealError, type Sealer } from '../../platform/secrets/sealer'
import { hashSecret } from '../../platform/secrets/secrets'

type Orm = Database['orm']

const slack = 60 * 60_000
const Signed = z.object({ message: z.string(), signature: z.string(), triedAt: z.optional(z.number()) })

export function createSpentNonces(orm: Orm): SpentNonces {
  return {
    async spend(nonce, expiresAt) {
      const row = { id: hashSecret(nonce), expiresAt: new Date(expiresAt) }
      const added = await orm.insert(siwxNonces).values(row).onConflictDoNothing().returning({ id: siwxNonces.id })
      return added.length > 0
    },
  }
}

export function createRevokedSessions(orm: Orm): RevokedSessions {
  return {
    async add(id, expiresAt) {
      const row = { id: hashSecret(id), expiresAt: new Date(expiresAt) }
      await orm.insert(siwxRevoked).values(row).onConflictDoNothing()
    },
    async has(id) {
      const rows = await orm
        .select({ id: siwxRevoked.id })
        .from(siwxRevoked)
        .where(eq(siwxRevoked.id, hashSecret(id)))
      return rows.length > 0
    },
  }
}

export function createProofs({
  orm,
  sealer,
  now,
}: {
  readonly orm: Orm
  readonly sealer: Sealer
  readonly now: () => number
}): ProofStore {
  /** Null if the key was removed: the contract's session ends, because it cannot be checked again. */
  function open(id: string, sealed: string): Pick<Proof, 'message' | 'signature' | 'triedAt'> | null {
    try {
      const parsed = Signed.safeParse(parseJson(sealer.open(sealed, proofContext(id))))
      return parsed.success ? parsed.data : null
    } catch (error) {
      if (error instanceof SealError) return null
      throw error
    }
  }

  return {
    async put(id, { message, signature, checkedAt, triedAt }, expiresAt) {
      const key = hashSecret(id)
      const sealed = sealer.seal(JSON.stringify({ message, signature, triedAt }), proofContext(key))
      const row = { sealed, checkedAt: new Date(checkedAt), expiresAt: new Date(expiresAt) }
      await orm
        .insert(siwxProofs)
        .values({ id: key, ...row })
        .onConflictDoUpdate({ target: siwxProofs.id, set: row })
    },
    async get(id) {
      const key = hashSecret(id)
      const isIt = and(eq(siwxProofs.id, key), gt(siwxProofs.expiresAt, new Date(now())))
      const [row] = await orm.select().from(siwxProofs).where(isIt)
      const signed = row === undefined ? null : open(key, row.sealed)
      return row === undefined || signed === null ? null : { ...signed, checkedAt: row.checkedAt.getTime() }
    },
    async remove(id) {
      await orm.delete(siwxProofs).where(eq(siwxProofs.id, hashSecret(id)))
    },
  }
}

export async function sweepStores(orm: Orm, now: number): Promise<void> {
  const before = new Date(now - slack)
  await sweepRows(orm, siwxNonces, lt(siwxNonces.expiresAt, before))
  await sweepRows(orm, siwxRevoked, lt(siwxRevoked.expiresAt, before))
  await sweepRows(orm, siwxProofs, lt(siwxProofs.expiresAt, before))
}

export function proofContext(key: string): string {
  return `siwx proof ${key}`
}
