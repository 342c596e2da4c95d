import { limits } from '@postern/protocol'
import { and, eq, gt, inArray, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import type { Orm } from '../../platform/db/open'
import { devices, emailFlows, users } from '../../platform/db/schema'
import { sweepRows } from '../../platform/db/sweep'
import { hashSecret } from '../../platform/secrets/secrets'
import type { AddressChange, AddressChanges } from '../users/address-changes'

export type EmailFlow = typeof emailFlows.$inferSelect
export type EmailDevice = Pick<EmailFlow, 'emailHash' | 'deviceTokenHash'>

/** Seal context of a flow's address. */
export function flowContext(flowId: string): string {
  return `email flow ${flowId}`
}

/** For limits. */
export function deviceKey({ emailHash, deviceTokenHash }: EmailDevice): string {
  return `${emailHash} ${deviceTokenHash}`
}

export type EmailFlows = {
  add(row: EmailFlow): Promise<void>
  remove(id: string): Promise<void>
  find(flow: string): Promise<EmailFlow | undefined>
  findByLink(token: string): Promise<EmailFlow | undefined>
  /** Once; undefined for an unknown, used or expired link. */
  approve(token: string): Promise<EmailFlow | undefined>
  /** Ends every flow of this pair: an approval is for one sign-in. False if there was none. */
  complete(device: EmailDevice): Promise<boolean>
  /** Whether a user of the address, or of a frozen account's former address, signed in on the device. */
  isDeviceOf(emailHashes: readonly string[], tokenHash: string): Promise<boolean>
  /** Includes a frozen account's former address. */
  hasAccount(emailHashes: readonly string[]): Promise<boolean>
  isApproved(device: EmailDevice): Promise<boolean>
  sweep(): Promise<void>
}

/** @param now epoch milliseconds. */
export function createEmailFlows({
  orm,
  addressChanges,
  now,
}: {
  readonly orm: Orm
  readonly addressChanges: Pick<AddressChanges, 'ofFormer' | 'findFormerDevice'>
  readonly now: () => number
}): EmailFlows {
  async function frozenBy(formerHashes: readonly string[]): Promise<AddressChange | undefined> {
    const change = await addressChanges.ofFormer(formerHashes)
    return change === undefined || change.frozenAt === null ? undefined : change
  }

  async function firstWhere(condition: SQL): Promise<EmailFlow | undefined> {
    const [row] = await orm.select().from(emailFlows).where(condition).limit(1)
    return row
  }

  return {
    async add(row) {
      await orm.insert(emailFlows).values(row)
    },

    async remove(id) {
      await orm.delete(emailFlows).where(eq(emailFlows.id, id))
    },

    async find(flow) {
      const row = await firstWhere(eq(emailFlows.id, hashSecret(flow)))
      return row !== undefined && row.expiresAt.getTime() > now() ? row : undefined
    },

    findByLink: (token) => firstWhere(eq(emailFlows.linkHash, hashSecret(token))),

    async approve(token) {
      const at = new Date(now())
      const [row] = await orm
        .update(emailFlows)
        .set({ approvedAt: at })
        .where(
          and(eq(emailFlows.linkHash, hashSecret(token)), isNull(emailFlows.approvedAt), gt(emailFlows.expiresAt, at)),
        )
        .returning()
      return row
    },

    async complete({ emailHash, deviceTokenHash }) {
      const rows = await orm
        .update(emailFlows)
        .set({ completedAt: new Date(now()) })
        .where(and(eq(emailFlows.emailHash, emailHash), eq(emailFlows.deviceTokenHash, deviceTokenHash)))
        .returning({ id: emailFlows.id })
      return rows.length > 0
    },

    async isDeviceOf(emailHashes, tokenHash) {
      const rows = await orm
        .select({ id: devices.id })
        .from(devices)
        .innerJoin(users, eq(users.id, devices.userId))
        .where(
          and(
            eq(users.provider, 'email'),
            inArray(users.subjectHash, [...emailHashes]),
            eq(devices.tokenHash, tokenHash),
            isNull(devices.revokedAt),
            eq(devices.isRestoring, false),
          ),
        )
        .limit(1)
      if (rows.length > 0) return true
      const frozen = await frozenBy(emailHashes)
      return frozen !== undefined && (await addressChanges.findFormerDevice(frozen, tokenHash)) !== undefined
    },

    async hasAccount(emailHashes) {
      const rows = await orm
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.provider, 'email'), inArray(users.subjectHash, [...emailHashes])))
        .limit(1)
      return rows.length > 0 || (await frozenBy(emailHashes)) !== undefined
    },

    async isApproved({ emailHash, deviceTokenHash }) {
      const rows = await orm
        .select({ id: emailFlows.id })
        .from(emailFlows)
        .where(
          and(
            eq(emailFlows.emailHash, emailHash),
            eq(emailFlows.deviceTokenHash, deviceTokenHash),
            isNotNull(emailFlows.approvedAt),
            isNull(emailFlows.completedAt),
            gt(emailFlows.approvedAt, new Date(now() - limits.emailFlowLifetimeMs)),
          ),
        )
        .limit(1)
      return rows.length > 0
    },

    async sweep() {
      await sweepRows(orm, emailFlows, lt(emailFlows.expiresAt, new Date(now() - limits.emailFlowLifetimeMs)))
    },
  }
}
