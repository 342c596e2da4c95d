/**
 * Undoing a change of the email address, for {@link protocolLimits.addressChangeUndoMs} (seven days).
 *
 * A *former* device was seven days old at the change, or is the account's first. The new address is *proven* once it
 * has shown a former device, or the wallet's passkey or passphrase from before the change.
 *
 * 1. "This was not me" in any email to the former address restores that address. If the new address is proven, it
 *    freezes the account for seven days instead, once.
 * 2. Both end the device that made the change and later devices, but no former device.
 * 3. While the account is frozen, no device gets another's shares, the new address signs in only on a former device,
 *    and the account cannot be deleted.
 * 4. Meanwhile the former address restores the account by a sign-in on a former device. Another device gets a restoring
 *    session until the freeze ends: it reads the wallet, gets what the passkey or passphrase opens, and restores the
 *    account by a split that the wallet's key signs.
 * 5. Until the time is over, only a former device deletes the account, removes a device or changes the recovery.
 * 6. Until then, no account takes the former address, and there is no second change.
 * 7. The new address gives the account back by the button in its own emails about the change.
 */
import { limits as protocolLimits, type WalletApiCall, walletApi } from '@postern/protocol'
import { and, asc, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Orm } from '../../platform/db/open'
import { addressChanges, devices, emailChanges, sessions, users } from '../../platform/db/schema'
import { wallets } from '../../platform/db/wallet-schema'
import { isCode } from '../../platform/error-code'
import type { Problem } from '../../platform/http/problem'
import { walletFailure } from '../../platform/http/wallet-calls'

export const undoMs = protocolLimits.addressChangeUndoMs

export type AddressChange = typeof addressChanges.$inferSelect
type DeviceRow = Pick<typeof devices.$inferSelect, 'id' | 'createdAt'>
type Device = { readonly userId: string; readonly deviceId: string }

/** `until`: epoch ms. `ended`: devices that the caller must end. */
export type Undone = { readonly change: AddressChange; readonly ended: readonly Device[] } & (
  | { readonly state: 'restored' }
  | { readonly state: 'frozen'; readonly until: number }
)

export type AddressChanges = {
  /**
   * Moves the account to the address of `hashes` and `sealed`.
   * @throws {Problem} EMAIL_TAKEN, EMAIL_ON_HOLD
   */
  move(
    by: Device,
    to: { readonly hashes: readonly [string, ...string[]]; readonly sealed: string },
  ): Promise<AddressChange>
  /** Undefined once the time is over. */
  ofUser(userId: string): Promise<AddressChange | undefined>
  ofFormer(hashes: readonly string[]): Promise<AddressChange | undefined>
  wasThere(change: AddressChange, device: DeviceRow): Promise<boolean>
  /** The former device with this token, even if removed since the change. */
  findFormerDevice(change: AddressChange, tokenHash: string): Promise<DeviceRow | undefined>
  /** 1. 2. 7. Null if the time is over. */
  undo(change: AddressChange, by: 'former' | 'present'): Promise<Undone | null>
  /** 3. Before a sign-in by the current address. @throws {Problem} EMAIL_ON_HOLD */
  admit(userId: string, tokenHash: string): Promise<void>
  /** 4. `prover`: the device that restores. */
  restore(change: AddressChange, prover?: string): Promise<void>
  /** The wallet's key signed on this session's device. */
  showKey(session: { readonly userId: string; readonly deviceId: string; readonly hold: Hold | null }): Promise<void>
  holdOf(change: AddressChange, device: DeviceRow): Promise<Hold | null>
  sweep(): Promise<void>
}

/** Calls that a session may not make. `restoring`: 4, `frozen`: 3, `new`: 5. */
export type Hold = {
  readonly kinds: readonly ('restoring' | 'frozen' | 'new')[]
  /** In s. */
  readonly retryAfter: number
}

const pathsOf = (...calls: readonly WalletApiCall[]): ReadonlySet<string> =>
  new Set(calls.map((call) => walletApi[call].path))

const restoringPaths = pathsOf('session', 'signOut', 'wallet', 'recover', 'putDevice')
const frozenPaths = pathsOf('recover', 'deleteAccount')
const newPaths = pathsOf('deleteAccount', 'deletePrevious', 'replaceWallet', 'setRecovery', 'revokeDevice')
const refuses: Readonly<Record<Hold['kinds'][number], (path: string) => boolean>> = {
  // Covers the bundler's path too.
  restoring: (path) => !restoringPaths.has(path),
  frozen: (path) => frozenPaths.has(path),
  new: (path) => newPaths.has(path),
}

/** @throws {Problem} EMAIL_ON_HOLD */
export function refuseHeld(hold: Hold | null, path: string): void {
  if (hold?.kinds.some((kind) => refuses[kind](path))) throw walletFailure('EMAIL_ON_HOLD', hold.retryAfter)
}

export function onHold({ endsAt }: AddressChange, now: number): Problem {
  return walletFailure('EMAIL_ON_HOLD', secondsUntil(endsAt, now))
}

/** @param now epoch ms */
export function secondsUntil(time: Date, now: number): number {
  return Math.max(1, Math.ceil((time.getTime() - now) / 1_000))
}

export function createAddressChanges(options: {
  readonly orm: Orm
  /** Epoch milliseconds. */
  readonly now: () => number
}): AddressChanges {
  const { orm, now } = options

  async function findOpen(within: Orm, where: SQL | undefined): Promise<AddressChange | undefined> {
    const isOpen = gt(addressChanges.endsAt, new Date(now()))
    const [row] = await within.select().from(addressChanges).where(and(where, isOpen)).limit(1)
    return row
  }
  const ofUser = (userId: string, within = orm) => findOpen(within, eq(addressChanges.userId, userId))
  const ofFormer = (hashes: readonly string[], within = orm) =>
    findOpen(within, inArray(addressChanges.formerHash, [...hashes]))

  return {
    ofUser: (userId) => ofUser(userId),
    ofFormer: (hashes) => ofFormer(hashes),
    wasThere: (change, device) => wasThere(orm, change, device),
    findFormerDevice: (change, tokenHash) => findFormerDevice(orm, change, tokenHash),
    restore: (change, prover) => orm.transaction((tx) => restore(tx, change, prover)),

    async move({ userId, deviceId }, to) {
      try {
        return await orm.transaction(async (tx) => {
          const [former] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
          if (former === undefined) throw walletFailure('SESSION_EXPIRED')
          const last = await ofUser(userId, tx)
          if (last !== undefined) throw onHold(last, now())
          // A hash under an older key escapes the unique index.
          const other = await findOther(tx, userId, to.hashes)
          if (other !== undefined || (await ofFormer(to.hashes, tx)) !== undefined) throw walletFailure('EMAIL_TAKEN')
          await tx.update(users).set({ subjectHash: to.hashes[0], email: to.sealed }).where(eq(users.id, userId))
          return record(tx, former, deviceId, now())
        })
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined
        if (isCode(error, uniqueViolation) || isCode(cause, uniqueViolation)) throw walletFailure('EMAIL_TAKEN')
        throw error
      }
    },

    undo: ({ userId }, by) =>
      orm.transaction(async (tx): Promise<Undone | null> => {
        await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
        const change = await ofUser(userId, tx)
        if (change === undefined) return null
        const ended = await devicesSince(tx, change)
        if (by === 'present' || !change.isProven) {
          await restore(tx, change)
          return { state: 'restored', change, ended }
        }
        if (change.frozenAt !== null) return { state: 'frozen', change, ended: [], until: change.endsAt.getTime() }
        const at = now()
        const until = at + undoMs
        await tx
          .update(addressChanges)
          .set({ frozenAt: new Date(at), endsAt: new Date(until) })
          .where(eq(addressChanges.userId, userId))
        return { state: 'frozen', change, ended, until }
      }),

    async admit(userId, tokenHash) {
      const change = await ofUser(userId)
      if (change === undefined) return
      const isFormer = (await findFormerDevice(orm, change, tokenHash)) !== undefined
      if (isFormer) return prove(orm, userId)
      if (change.frozenAt !== null) throw onHold(change, now())
    },

    showKey: ({ userId, deviceId, hold }) =>
      orm.transaction(async (tx) => {
        if (hold === null) return
        const change = await ofUser(userId, tx)
        if (change === undefined || !change.wasHardened) return
        if (hold.kinds.includes('restoring')) await restore(tx, change, deviceId)
        else await prove(tx, userId)
      }),

    async holdOf(change, device) {
      const isNew = !(await wasThere(orm, change, device))
      const kinds = [...(change.frozenAt === null ? [] : (['frozen'] as const)), ...(isNew ? (['new'] as const) : [])]
      return kinds.length === 0 ? null : { kinds, retryAfter: secondsUntil(change.endsAt, now()) }
    },

    async sweep() {
      await orm.transaction(async (tx) => {
        // Not those that a request is changing: the next sweep finds them.
        const over = await tx
          .select({ id: addressChanges.userId })
          .from(addressChanges)
          .where(lte(addressChanges.endsAt, new Date(now())))
          .for('update', { skipLocked: true })
        const ids = over.map(({ id }) => id)
        await endRestoring(tx, inArray(devices.userId, ids))
        await tx.delete(addressChanges).where(inArray(addressChanges.userId, ids))
      })
    },
  }
}

/** SQLSTATE of PostgreSQL. */
const uniqueViolation = '23505'

async function findOther(within: Orm, userId: string, hashes: readonly string[]): Promise<{ id: string } | undefined> {
  const [other] = await within
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.provider, 'email'), inArray(users.subjectHash, [...hashes]), ne(users.id, userId)))
    .limit(1)
  return other
}

/** @param at epoch ms */
async function record(
  within: Orm,
  { id: userId, subjectHash, email }: typeof users.$inferSelect,
  deviceId: string,
  at: number,
): Promise<AddressChange> {
  if (email === null) throw new Error('The account has no address')
  const [wallet] = await within
    .select({ method: sql<string>`${wallets.recovery} ->> 'method'` })
    .from(wallets)
    .where(and(eq(wallets.userId, userId), eq(wallets.isPrevious, false)))
  const [device] = await within.select().from(devices).where(eq(devices.id, deviceId))
  const change = {
    userId,
    formerHash: subjectHash,
    formerEmail: email,
    deviceId,
    changedAt: new Date(at),
    endsAt: new Date(at + undoMs),
    frozenAt: null,
    wasHardened: wallet !== undefined && wallet.method !== 'gateway',
  }
  const row = { ...change, isProven: device !== undefined && (await wasThere(within, change, device)) }
  // Replaces a change whose time is over.
  await within.delete(addressChanges).where(eq(addressChanges.userId, userId))
  await within.insert(addressChanges).values(row)
  return row
}

async function wasThere(
  within: Orm,
  { userId, changedAt }: Pick<AddressChange, 'userId' | 'changedAt'>,
  device: DeviceRow,
): Promise<boolean> {
  if (device.createdAt.getTime() <= changedAt.getTime() - undoMs) return true
  const [first] = await within
    .select({ id: devices.id })
    .from(devices)
    .where(eq(devices.userId, userId))
    .orderBy(asc(devices.createdAt), asc(devices.id))
    .limit(1)
  return first?.id === device.id
}

async function findFormerDevice(within: Orm, change: AddressChange, tokenHash: string): Promise<DeviceRow | undefined> {
  const [device] = await within
    .select()
    .from(devices)
    .where(
      and(
        eq(devices.userId, change.userId),
        eq(devices.tokenHash, tokenHash),
        eq(devices.isRestoring, false),
        or(isNull(devices.revokedAt), gt(devices.revokedAt, change.changedAt)),
      ),
    )
    .orderBy(asc(devices.createdAt))
    .limit(1)
  return device !== undefined && (await wasThere(within, change, device)) ? device : undefined
}

/** 2 */
async function devicesSince(within: Orm, change: AddressChange): Promise<readonly Device[]> {
  const { userId, changedAt, deviceId } = change
  const rows = await within
    .select()
    .from(devices)
    .where(
      and(
        eq(devices.userId, userId),
        isNull(devices.revokedAt),
        or(gt(devices.createdAt, changedAt), eq(devices.id, deviceId)),
      ),
    )
  const ended: Device[] = []
  for (const { id, createdAt } of rows)
    if (!(await wasThere(within, change, { id, createdAt }))) ended.push({ userId, deviceId: id })
  return ended
}

async function prove(within: Orm, userId: string): Promise<void> {
  await within.update(addressChanges).set({ isProven: true }).where(eq(addressChanges.userId, userId))
}

async function restore(within: Orm, change: AddressChange, prover?: string): Promise<void> {
  const { userId, formerHash, formerEmail } = change
  await within.update(users).set({ subjectHash: formerHash, email: formerEmail }).where(eq(users.id, userId))
  await within.delete(addressChanges).where(eq(addressChanges.userId, userId))
  await within.delete(emailChanges).where(eq(emailChanges.userId, userId))
  if (prover !== undefined) {
    await within.update(devices).set({ isRestoring: false }).where(eq(devices.id, prover))
    await within.update(sessions).set({ isRestoring: false }).where(eq(sessions.deviceId, prover))
  }
  await endRestoring(within, eq(devices.userId, userId))
}

/** The user's own devices stay. */
async function endRestoring(within: Orm, ofUsers: SQL): Promise<void> {
  const ids = within.select({ id: devices.id }).from(devices).where(ofUsers)
  await within.delete(sessions).where(and(eq(sessions.isRestoring, true), inArray(sessions.deviceId, ids)))
  await within.delete(devices).where(and(eq(devices.isRestoring, true), ofUsers))
}
