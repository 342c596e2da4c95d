/**
 * Recoveries: a device gets the shares of another device's split.
 *
 * 1. Each is recorded before the shares are given out; a repeated call of the session is the same recovery.
 * 2. With a waiting time, a device gets nothing before its end, which later calls do not move.
 * 3. A wait that is over stays open for 7 days. Then, and after each opening, the device waits again.
 * 4. Each other device lists it for 30 days, until dismissed there. A device lists no recovery from before it, or of a
 *    removed device.
 * 5. A later request, or its withdrawal, keeps the rows that opened the wallet.
 */
import { randomUUID } from 'node:crypto'
import type { WalletRecovery } from '@postern/protocol'
import { and, eq, isNull, lte, ne } from 'drizzle-orm'
import type { Database } from '../../platform/db/open'
import { devices } from '../../platform/db/schema'
import { recoveries } from '../../platform/db/wallet-schema'
import type { Owner } from './store'

const openForMs = 7 * 24 * 60 * 60_000
const listedForMs = 30 * 24 * 60 * 60_000

/** `isNew`: announce it now. */
export type Recovering =
  | { readonly state: 'open'; readonly isNew: boolean }
  | { readonly state: 'waiting'; readonly id: string; readonly isNew: boolean; readonly opensAt: number }

export type Recoveries = {
  ask(owner: Owner, sessionId: string, waitMs: number): Promise<Recovering>
  /** For a wait that could not be announced. */
  withdraw(id: string): Promise<void>
  /** Newest first. */
  unseenBy(owner: Owner): Promise<readonly WalletRecovery[]>
  /** @param until epoch ms */
  see(owner: Owner, until: number): Promise<void>
}

export function createRecoveries(options: {
  readonly database: Pick<Database, 'orm'>
  /** Epoch milliseconds. */
  readonly now: () => number
}): Recoveries {
  const { now } = options
  const { orm } = options.database

  return {
    ask: ({ userId, deviceId }, sessionId, waitMs) =>
      orm.transaction(async (tx): Promise<Recovering> => {
        const at = now()
        const ofDevice = eq(recoveries.deviceId, deviceId)
        await tx.select({ id: devices.id }).from(devices).where(eq(devices.id, deviceId)).for('update')
        const rows = await tx.select().from(recoveries).where(ofDevice)
        const current =
          rows.find((row) => row.openedAt !== null && row.sessionId === sessionId) ??
          rows.find((row) => row.openedAt === null && at < row.opensAt.getTime() + openForMs)
        const row = current ?? {
          id: randomUUID(),
          deviceId,
          userId,
          requestedAt: new Date(at),
          opensAt: new Date(at + waitMs),
          openedAt: null,
          sessionId: null,
        }
        if (current === undefined) {
          await tx.delete(recoveries).where(and(ofDevice, isNull(recoveries.openedAt)))
          await tx.delete(recoveries).where(and(ofDevice, lte(recoveries.openedAt, new Date(at - listedForMs))))
          await tx.insert(recoveries).values(row)
        }
        const opensAt = row.opensAt.getTime()
        if (at < opensAt) return { state: 'waiting', id: row.id, isNew: current === undefined, opensAt }
        const isNew = row.openedAt === null
        if (isNew)
          await tx
            .update(recoveries)
            .set({ openedAt: new Date(at), sessionId })
            .where(eq(recoveries.id, row.id))
        return { state: 'open', isNew }
      }),

    async withdraw(id) {
      await orm.delete(recoveries).where(and(eq(recoveries.id, id), isNull(recoveries.openedAt)))
    },

    async unseenBy({ userId, deviceId }) {
      const [own] = await orm.select().from(devices).where(eq(devices.id, deviceId))
      if (own === undefined) return []
      const since = Math.max((own.recoveriesSeenAt ?? own.createdAt).getTime(), now() - listedForMs)
      const rows = await orm
        .select({ row: recoveries })
        .from(recoveries)
        .innerJoin(devices, eq(devices.id, recoveries.deviceId))
        .where(and(eq(recoveries.userId, userId), ne(recoveries.deviceId, deviceId), isNull(devices.revokedAt)))
      return rows
        .map(({ row }) => ({
          deviceId: row.deviceId,
          at: (row.openedAt ?? row.requestedAt).getTime(),
          opensAt: row.openedAt === null ? row.opensAt.getTime() : null,
        }))
        .filter(({ at }) => at > since)
        .sort((a, b) => b.at - a.at)
    },

    async see({ deviceId }, until) {
      const seen = new Date(Math.min(until, now()))
      await orm.update(devices).set({ recoveriesSeenAt: seen }).where(eq(devices.id, deviceId))
    },
  }
}
