/** What an operator sees of wallet users. Shares, keys, hashes and secrets are never read. */
import { desc, eq, inArray, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Accounts } from '../../accounts/users/accounts'
import { parseEmailAddress } from '../../accounts/users/email-address'
import { analyticsEvents, names } from '../../platform/db/money-schema'
import type { Database } from '../../platform/db/open'
import { devices, sessions, users } from '../../platform/db/schema'
import { authShares, recoveries, wallets } from '../../platform/db/wallet-schema'

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

/** What the gateway stores of a user and can read; no share, no secret. */
export const UserExport = z.extend(User, {
  userName: z.nullable(z.string()),
  sessions: z.array(
    z.strictObject({ deviceId: z.string(), projectId: z.string(), signedInAt: Time, usedAt: Time, expiresAt: Time }),
  ),
  recoveries: z.array(
    z.strictObject({ deviceId: z.string(), requestedAt: Time, opensAt: Time, openedAt: z.nullable(Time) }),
  ),
  names: z.array(z.strictObject({ label: z.string(), address: z.string(), registeredAt: Time })),
  events: z.array(z.strictObject({ projectId: z.string(), event: z.string(), origin: z.string(), receivedAt: Time })),
})
export type UserExport = z.infer<typeof UserExport>

export type Users = {
  /** @param who an email address, an EVM or Solana address of the wallet, or the user's id. At most ten. */
  lookUp(who: string): Promise<UserSummary[]>
  find(id: string): Promise<User | null>
  export(id: string): Promise<UserExport | null>
}

const maxFound = 10

export function createUsers({ orm }: Pick<Database, 'orm'>, accounts: Pick<Accounts, 'hashesOf' | 'show'>): Users {
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
      const user = await describe(row)
      const addresses = user.wallets.flatMap(({ eip155, solana }) => [eip155, eip155.toLowerCase(), solana])
      const [open, waits, labels, events] = await Promise.all([
        orm.select().from(sessions).where(eq(sessions.userId, id)),
        orm.select().from(recoveries).where(eq(recoveries.userId, id)),
        addresses.length === 0
          ? []
          : orm
              .select()
              .from(names)
              .where(inArray(names.address, [...addresses, ...addresses.map((address) => address.toLowerCase())])),
        addresses.length === 0
          ? []
          : orm.select().from(analyticsEvents).where(inArray(analyticsEvents.address, addresses)),
      ])
      const { email, userName } = accounts.show(row)
      return {
        ...user,
        email,
        userName,
        sessions: open.map(({ deviceId, projectId, signedInAt, usedAt, expiresAt }) => ({
          deviceId,
          projectId,
          signedInAt: signedInAt.toISOString(),
          usedAt: usedAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        })),
        recoveries: waits.map(({ deviceId, requestedAt, opensAt, openedAt }) => ({
          deviceId,
          requestedAt: requestedAt.toISOString(),
          opensAt: opensAt.toISOString(),
          openedAt: openedAt?.toISOString() ?? null,
        })),
        names: labels.map(({ label, address, registeredAt }) => ({
          label,
          address,
          registeredAt: registeredAt.toISOString(),
        })),
        events: events.map(({ projectId, event, origin, receivedAt }) => ({
          projectId,
          event,
          origin,
          receivedAt: receivedAt.toISOString(),
        })),
      }
    },
  }
}

/** The first character and the domain. */
function mask(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0] ?? ''}…${email.slice(at)}`
}
