/** What an operator sees of wallet users. No share, key, hash or secret leaves this file. */
import { segwitAddressOf } from '@postern/chains/bip122/segwit-address'
import { safeAddress } from '@postern/chains/eip155/safe-account'
import { Recovery } from '@postern/protocol'
import { bip122Chains } from '@postern/protocol/namespaces/bip122'
import { desc, eq, inArray, or, sql } from 'drizzle-orm'
import { isAddress } from 'viem'
import * as z from 'zod/mini'
import type { Auth } from '../../accounts/auth'
import { userHash } from '../../accounts/shares/proof'
import { parseEmailAddress } from '../../accounts/users/email-address'
import { auditLog } from '../../platform/db/admin-schema'
import { analyticsEvents, names } from '../../platform/db/money-schema'
import type { Database } from '../../platform/db/open'
import { addressChanges, devices, emailFlows, sessions, users } from '../../platform/db/schema'
import { authShares, recoveries, walletEnds, wallets } from '../../platform/db/wallet-schema'

const Time = z.string()

export const UserSummary = z.strictObject({
  id: z.string(),
  provider: z.string(),
  /** Masked: `a…@example.com`. */
  email: z.nullable(z.string()),
  createdAt: Time,
  blockedAt: z.nullable(Time),
})
export type UserSummary = z.infer<typeof UserSummary>

const Device = z.strictObject({
  id: z.string(),
  name: z.nullable(z.string()),
  projectId: z.nullable(z.string()),
  createdAt: Time,
  usedAt: Time,
  revokedAt: z.nullable(Time),
  sessions: z.int(),
})

export const User = z.extend(UserSummary, {
  wallets: z.array(
    z.strictObject({ eip155: z.string(), solana: z.string(), isPrevious: z.boolean(), createdAt: Time }),
  ),
  devices: z.array(Device),
})
export type User = z.infer<typeof User>

/**
 * Everything that the gateway stores of a user and can read. The only list of the fields: other columns of the rows are
 * left out. Names of the fields are those of the columns.
 */
export const UserExport = z.extend(UserSummary, {
  userName: z.nullable(z.string()),
  /** Requested, not complete. */
  emailChange: z.nullable(z.object({ newEmail: z.string(), primaryVerifiedAt: z.nullable(Time), expiresAt: Time })),
  /** The last one, for as long as the user can undo it. */
  addressChange: z.nullable(
    z.object({
      formerEmail: z.string(),
      deviceId: z.string(),
      changedAt: Time,
      endsAt: Time,
      frozenAt: z.nullable(Time),
      wasHardened: z.boolean(),
      isProven: z.boolean(),
    }),
  ),
  /** Begun with an email address of the user, by anyone. */
  emailSignIns: z.array(
    z.object({
      projectId: z.string(),
      site: z.nullable(z.string()),
      region: z.nullable(z.string()),
      approvedAt: z.nullable(Time),
      completedAt: z.nullable(Time),
      createdAt: Time,
      expiresAt: Time,
    }),
  ),
  wallets: z.array(
    z.object({
      eip155: z.string(),
      solana: z.string(),
      /** Compressed public key in hex. */
      bip122: z.string(),
      isPrevious: z.boolean(),
      /** The method. */
      recovery: z.string(),
      isExposed: z.boolean(),
      createdAt: Time,
    }),
  ),
  devices: z.array(
    z.object({
      id: z.string(),
      projectId: z.nullable(z.string()),
      isRestoring: z.boolean(),
      recoveriesSeenAt: z.nullable(Time),
      createdAt: Time,
      usedAt: Time,
      revokedAt: z.nullable(Time),
    }),
  ),
  /** The devices' shares, without the shares. */
  shares: z.array(
    z.object({ deviceId: z.string(), isPrevious: z.boolean(), deviceName: z.string(), createdAt: Time, usedAt: Time }),
  ),
  sessions: z.array(
    z.object({
      deviceId: z.string(),
      projectId: z.string(),
      isRestoring: z.boolean(),
      signedInAt: Time,
      usedAt: Time,
      expiresAt: Time,
    }),
  ),
  recoveries: z.array(z.object({ deviceId: z.string(), requestedAt: Time, opensAt: Time, openedAt: z.nullable(Time) })),
  walletEnds: z.array(z.object({ createdAt: Time })),
  names: z.array(
    z.object({
      label: z.string(),
      coinType: z.int(),
      address: z.string(),
      chainId: z.nullable(z.string()),
      slot: z.nullable(z.int()),
      attributes: z.record(z.string(), z.unknown()),
      registeredAt: Time,
      releasedAt: z.nullable(Time),
    }),
  ),
  events: z.array(
    z.object({
      projectId: z.string(),
      type: z.string(),
      event: z.string(),
      origin: z.string(),
      properties: z.record(z.string(), z.unknown()),
      address: z.string(),
      receivedAt: Time,
    }),
  ),
  /** By operators, on the user. */
  operations: z.array(z.object({ at: Time, action: z.string() })),
})
export type UserExport = z.infer<typeof UserExport>

export type Users = {
  /** @param who an email address, an EVM or Solana address of the wallet, or the user's id. At most ten. */
  lookUp(who: string): Promise<UserSummary[]>
  find(id: string): Promise<User | null>
  export(id: string): Promise<UserExport | null>
}

const maxFound = 10

export function createUsers(
  { orm }: Pick<Database, 'orm'>,
  { accounts, pendingChanges }: Pick<Auth, 'accounts' | 'pendingChanges'>,
): Users {
  /** PostgreSQL rejects NUL in text. */
  const rowOf = async (id: string) =>
    id.includes('\0') ? undefined : (await orm.select().from(users).where(eq(users.id, id)).limit(1))[0]

  async function describe(row: typeof users.$inferSelect): Promise<User> {
    const [own, known, open] = await Promise.all([
      orm.select().from(wallets).where(eq(wallets.userId, row.id)),
      orm
        .select({ device: devices, name: authShares.deviceName, isPrevious: authShares.isPrevious })
        .from(devices)
        .leftJoin(authShares, eq(authShares.deviceId, devices.id))
        .where(eq(devices.userId, row.id))
        .orderBy(desc(devices.usedAt)),
      orm.select({ deviceId: sessions.deviceId }).from(sessions).where(eq(sessions.userId, row.id)),
    ])
    const unique = new Map(known.map((entry) => [entry.device.id, entry]))
    return {
      ...summary(row),
      wallets: own.map(({ eip155, solana, isPrevious, createdAt }) => ({
        eip155,
        solana,
        isPrevious,
        createdAt: createdAt.toISOString(),
      })),
      devices: [...unique.values()].map(({ device, name }) => ({
        id: device.id,
        name,
        projectId: device.projectId,
        createdAt: device.createdAt.toISOString(),
        usedAt: device.usedAt.toISOString(),
        revokedAt: device.revokedAt?.toISOString() ?? null,
        sessions: open.filter(({ deviceId }) => deviceId === device.id).length,
      })),
    }
  }

  function summary(row: typeof users.$inferSelect): UserSummary {
    const { email } = accounts.show(row)
    return {
      id: row.id,
      provider: row.provider,
      email: email === null ? null : mask(email),
      createdAt: row.createdAt.toISOString(),
      blockedAt: row.blockedAt?.toISOString() ?? null,
    }
  }

  return {
    async lookUp(who) {
      const text = who.trim()
      if (text.includes('\0')) return []
      const email = parseEmailAddress(text)
      if (email !== null) {
        const hashes = accounts.hashesOf('email', email.subject)
        return (
          await orm
            .select()
            .from(users)
            .where(inArray(users.subjectHash, [...hashes]))
            .limit(maxFound)
        ).map(summary)
      }
      const owners = await orm
        .select({ id: wallets.userId })
        .from(wallets)
        .where(or(eq(sql`lower(${wallets.eip155})`, text.toLowerCase()), eq(wallets.solana, text)))
        .limit(maxFound)
      const ids = [text, ...owners.map(({ id }) => id)]
      return (await orm.select().from(users).where(inArray(users.id, ids)).limit(maxFound)).map(summary)
    },

    async find(id) {
      const row = await rowOf(id)
      return row === undefined ? null : describe(row)
    },

    async export(id) {
      const row = await rowOf(id)
      if (row === undefined) return null
      const [change] = await orm.select().from(addressChanges).where(eq(addressChanges.userId, id))
      const { email, userName } = accounts.show(row)
      const formerEmail = change === undefined ? null : accounts.show({ ...row, email: change.formerEmail }).email
      const emailHashes = row.provider === 'email' ? [email, formerEmail].flatMap(hashesOfEmail) : []
      const own = await orm.select().from(wallets).where(eq(wallets.userId, id))
      const addresses = own.flatMap(addressesOf)
      return UserExport.parse(
        toJson({
          ...summary(row),
          email,
          userName,
          emailChange: (await pendingChanges.ofUser(id)) ?? null,
          addressChange: change === undefined ? null : { ...change, formerEmail },
          emailSignIns: await orm.select().from(emailFlows).where(inArray(emailFlows.emailHash, emailHashes)),
          wallets: own.map((wallet) => ({ ...wallet, recovery: Recovery.parse(wallet.recovery).method })),
          devices: await orm.select().from(devices).where(eq(devices.userId, id)),
          shares: await orm.select().from(authShares).where(eq(authShares.userId, id)),
          sessions: await orm.select().from(sessions).where(eq(sessions.userId, id)),
          recoveries: await orm.select().from(recoveries).where(eq(recoveries.userId, id)),
          walletEnds: await orm.select().from(walletEnds).where(isEndOf(row)),
          names: await orm.select().from(names).where(inArray(names.address, addresses)),
          events: await orm
            .select()
            .from(analyticsEvents)
            .where(inArray(sql`lower(${analyticsEvents.address})`, addresses))
            .orderBy(analyticsEvents.id),
          operations: await orm
            .select()
            .from(auditLog)
            // A look-up has several targets.
            .where(sql`${id} = any(string_to_array(${auditLog.target}, ', '))`)
            .orderBy(auditLog.id),
        }),
      )
    },
  }

  function hashesOfEmail(email: string | null): readonly string[] {
    const parsed = email === null ? null : parseEmailAddress(email)
    return parsed === null ? [] : accounts.hashesOf('email', parsed.subject)
  }
}

/** In lower case, with the addresses of the smart account and of each Bitcoin network. */
function addressesOf({ eip155, solana, bip122 }: typeof wallets.$inferSelect): string[] {
  const smartAccount = isAddress(eip155, { strict: false }) ? [safeAddress(eip155)] : []
  const bitcoin = Object.values(bip122Chains).map((networkId) => segwitAddressOf(bip122, networkId))
  return [eip155, ...smartAccount, solana, ...bitcoin].map((address) => address.toLowerCase())
}

function isEndOf({ id, subjectHash }: typeof users.$inferSelect) {
  return or(eq(walletEnds.userHash, userHash(id)), eq(walletEnds.subjectHash, subjectHash))
}

/** Times become ISO 8601. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The first character and the domain. */
function mask(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0] ?? ''}…${email.slice(at)}`
}
