/**
 * Statements that a wallet has ended, by its own key (`WalletEnd`). Devices believe them, not the gateway.
 *
 * 1. Each other device of the user gets a row, removed devices too: they may still have a share.
 * 2. Such a device reads it with a session of the user, or of a later account with the same identity.
 * 3. A row outlives the account by up to a year, without address, name or id in plain text.
 */
import { randomUUID } from 'node:crypto'
import { maxWalletEnds, WalletEnd } from '@postern/protocol'
import { and, desc, eq, like, lt, ne, not, or } from 'drizzle-orm'
import type { Database, Orm } from '../../platform/db/open'
import { devices, users } from '../../platform/db/schema'
import { sweepRows } from '../../platform/db/sweep'
import { walletEnds } from '../../platform/db/wallet-schema'
import { SealError, type Sealer } from '../../platform/secrets/sealer'
import { userHash } from './proof'
import type { Owner } from './store'

/** A browser without storage is a new device on each visit. */
const maxDevices = 1_000
/** In ms. */
const keptFor = 365 * 24 * 60 * 60_000

export type WalletEnds = {
  /**
   * `owner`: the device that ended the wallet. `end`: verified. `within`: the transaction that ends the wallet, so that
   * no device learns of an end that failed.
   */
  keep(owner: Owner, end: WalletEnd, within: Orm): Promise<void>
  /** Newest first. */
  of(owner: Owner): Promise<WalletEnd[]>
  /** `failed`: no key opens them. */
  sealOlder(): Promise<{ readonly sealed: number; readonly failed: number }>
  sweep(): Promise<void>
}

export function createWalletEnds(options: {
  readonly database: Pick<Database, 'orm'>
  readonly sealer: Sealer
  /** Epoch milliseconds. */
  readonly now: () => number
}): WalletEnds {
  const { sealer, now } = options
  const { orm } = options.database

  return {
    async keep({ userId, deviceId }, end, within) {
      const found = await within
        .select({ tokenHash: devices.tokenHash, subjectHash: users.subjectHash })
        .from(devices)
        .innerJoin(users, eq(users.id, devices.userId))
        .where(and(eq(devices.userId, userId), ne(devices.id, deviceId)))
        .orderBy(desc(devices.usedAt))
        .limit(maxDevices)
      const unique = new Map(found.map((row) => [row.tokenHash, row]))
      if (unique.size === 0) return
      const rows = [...unique.values()].map(({ tokenHash, subjectHash }) => ({
        id: randomUUID(),
        tokenHash,
        subjectHash,
        userHash: userHash(userId),
        sealed: seal(end, tokenHash),
        createdAt: new Date(now()),
      }))
      await within.insert(walletEnds).values(rows)
    },

    async of({ userId, deviceId }) {
      const rows = await orm
        .select({ sealed: walletEnds.sealed, tokenHash: walletEnds.tokenHash })
        .from(devices)
        .innerJoin(users, eq(users.id, devices.userId))
        .innerJoin(walletEnds, eq(walletEnds.tokenHash, devices.tokenHash))
        .where(
          and(
            eq(devices.id, deviceId),
            eq(devices.userId, userId),
            or(eq(walletEnds.userHash, userHash(userId)), eq(walletEnds.subjectHash, users.subjectHash)),
          ),
        )
        .orderBy(desc(walletEnds.createdAt))
        .limit(maxWalletEnds)
      return rows.flatMap(({ sealed, tokenHash }) => open(sealed, tokenHash) ?? [])
    },

    async sealOlder() {
      const count = { sealed: 0, failed: 0 }
      const isOlder = not(like(walletEnds.sealed, `${sealer.keyId}.%`))
      for (const { id, tokenHash, sealed } of await orm.select().from(walletEnds).where(isOlder)) {
        const end = open(sealed, tokenHash)
        count[end === null ? 'failed' : 'sealed'] += 1
        if (end === null) continue
        await orm
          .update(walletEnds)
          .set({ sealed: seal(end, tokenHash) })
          .where(eq(walletEnds.id, id))
      }
      return count
    },

    async sweep() {
      await sweepRows(orm, walletEnds, lt(walletEnds.createdAt, new Date(now() - keptFor)))
    },
  }

  function seal(end: WalletEnd, tokenHash: string): string {
    return sealer.seal(JSON.stringify(end), contextOf(tokenHash))
  }

  function open(sealed: string, tokenHash: string): WalletEnd | null {
    try {
      return WalletEnd.parse(JSON.parse(sealer.open(sealed, contextOf(tokenHash))))
    } catch (error) {
      if (error instanceof SealError) return null
      throw error
    }
  }
}

function contextOf(tokenHash: string): string {
  return `wallet end ${tokenHash}`
}
