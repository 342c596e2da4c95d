/**
 * Sessions: the signed-in user on a device.
 *
 * 1. A session, stored by its token's hash, ends 30 days after its last use and 180 days after the sign-in.
 * 2. Calls of a revoked device are DEVICE_REVOKED; unknown and expired sessions are SESSION_EXPIRED.
 * 3. The caller's identity comes only from the session.
 * 4. A confirmation is a code, emailed for its purpose and session, or, without an address, a sign-in of the last 10
 *    minutes. Tries count per account.
 * 5. Each call has a proof by the key that signed in (`dpop.ts`), or is SESSION_EXPIRED.
 * 6. After a change of the address, holds apply (`address-changes.ts`). A restoring session shows the former address.
 * 7. A blocked user cannot sign in (403 USER_BLOCKED); their sessions are SESSION_EXPIRED.
 */
import type { SignedIn, WalletApiUser } from '@postern/protocol'
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import type { Orm } from '../../platform/db/open'
import { devices, sessions, users } from '../../platform/db/schema'
import { sweepRows } from '../../platform/db/sweep'
import { walletFailure } from '../../platform/http/wallet-calls'
import type { Rate } from '../../platform/limits/limiter'
import { hashSecret } from '../../platform/secrets/secrets'
import type { CallerEnv } from '../../projects/caller'
import type { Codes } from '../codes/codes'
import type { Accounts } from '../users/accounts'
import { type AddressChange, type AddressChanges, type Hold, refuseHeld, secondsUntil } from '../users/address-changes'
import type { Proofs } from './dpop'
import type { IdentityTokens } from './identity-token'
import { createSignIns, type SignIns } from './sign-ins'

const lifetime = 30 * 24 * 60 * 60_000
/** Since the sign-in, in ms. */
const maxLifetime = 180 * 24 * 60 * 60_000
/** Min interval between writes of `usedAt`, in ms. */
const slidingStep = 60 * 60_000
/** The projects of a removed device count this long, in ms. */
const removedCounts = 30 * 24 * 60 * 60_000
/** In ms. */
export const freshness = 10 * 60_000

export type Session = {
  readonly id: string
  readonly userId: string
  readonly deviceId: string
  /** Where the user signed in. */
  readonly projectId: string
  /** In epoch ms. */
  readonly signedInAt: number
  readonly expiresAt: number
  readonly user: WalletApiUser
  /** Calls it may not make. */
  readonly hold: Hold | null
}

export type SessionEnv = CallerEnv & { Variables: { session: Session; sessionToken: string } }

export type ConfirmPurpose = 'export' | 'recovery' | 'move' | 'deletePrevious' | 'delete'

export type Sessions = SignIns & {
  /** @throws {Problem} SESSION_EXPIRED, DEVICE_REVOKED */
  open(token: string, keyThumbprint: string): Promise<Session>
  describe(session: Pick<Session, 'userId' | 'expiresAt' | 'user'>, token: string, projectId: string): Promise<SignedIn>
  signOut(session: Session): Promise<void>
  /** @throws {Problem} a code's failures, SIGN_IN_TOO_OLD */
  takeConfirmation(session: Session, purpose: ConfirmPurpose, otp?: string): Promise<void>
  /** @throws {Problem} SIGN_IN_TOO_OLD after {@link freshness} */
  requireFreshSignIn(session: Session): void
  /** The devices stay. */
  signOutEverywhere(userId: string): Promise<void>
  /** 7 */
  block(userId: string): Promise<void>
  unblock(userId: string): Promise<void>
  /** The device stays the user's. */
  signOutDevice(userId: string, deviceId: string): Promise<void>
  /** Its sessions then fail with DEVICE_REVOKED. */
  endDevice(userId: string, deviceId: string): Promise<void>
  /** `within`: runs in the transaction, before the deletion. */
  deleteUser(userId: string, within?: (tx: Orm) => Promise<void>): Promise<void>
  /** Includes devices removed in the last 30 days: a thief who removes one cannot shorten the waiting time. */
  projectsOf(userId: string): Promise<readonly string[]>
  sweep(): Promise<void>
}

/** For all confirmations of a user. */
export const confirmationTries: Rate = { name: 'tries at confirmations of a user', burst: 20, every: 72 * 60_000 }

export function confirmScope(session: Pick<Session, 'id'>, purpose: ConfirmPurpose): string {
  return `confirm ${purpose} ${session.id}`
}

export function createSessions(options: {
  readonly orm: Orm
  readonly accounts: Accounts
  readonly addressChanges: AddressChanges
  readonly codes: Pick<Codes, 'verify'>
  readonly identityTokens: Pick<IdentityTokens, 'sign'>
  /** Whether codes can be emailed. */
  readonly mails: boolean
  readonly onSignIn?: ((provider: string) => void) | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
}): Sessions {
  const { orm, accounts, addressChanges, codes, identityTokens, mails, onSignIn, now } = options

  const describe: Sessions['describe'] = async (session, token, projectId) => {
    const { expiresAt, user, userId } = session
    const identityToken = await identityTokens.sign({ userId, projectId, sessionEndsAt: expiresAt })
    return { status: 'signedIn', sessionToken: token, expiresAt, identityToken, user }
  }

  const requireFreshSignIn: Sessions['requireFreshSignIn'] = ({ signedInAt }) => {
    if (now() - signedInAt > freshness) throw walletFailure('SIGN_IN_TOO_OLD')
  }

  async function holdOf(
    { isRestoring, expiresAt }: typeof sessions.$inferSelect,
    device: typeof devices.$inferSelect,
    change: AddressChange | undefined,
  ): Promise<Hold | null> {
    if (isRestoring) return { kinds: ['restoring'], retryAfter: secondsUntil(expiresAt, now()) }
    return change === undefined ? null : addressChanges.holdOf(change, device)
  }

  return {
    ...createSignIns({ orm, accounts, addressChanges, describe, onSignIn, lifetime, now }),
    describe,
    requireFreshSignIn,

    async open(token, keyThumbprint) {
      const at = now()
      const id = hashSecret(token)
      const [row] = await orm
        .select({ session: sessions, user: users, device: devices })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .innerJoin(devices, eq(devices.id, sessions.deviceId))
        .where(eq(sessions.id, id))
        .limit(1)
      const isOpen = row?.session.keyThumbprint === keyThumbprint && row.session.expiresAt.getTime() > at
      // A sign-in during the block may have opened a session.
      if (row === undefined || !isOpen || row.user.blockedAt !== null) throw walletFailure('SESSION_EXPIRED')
      if (row.device.revokedAt !== null) throw walletFailure('DEVICE_REVOKED')
      const { session, user, device } = row
      let expiresAt = session.expiresAt.getTime()
      const change = await addressChanges.ofUser(user.id)
      const restoring = session.isRestoring ? change : undefined
      if (!session.isRestoring && at - session.usedAt.getTime() >= slidingStep) {
        expiresAt = Math.min(at + lifetime, session.signedInAt.getTime() + maxLifetime)
        const used = new Date(at)
        await orm
          .update(sessions)
          .set({ usedAt: used, expiresAt: new Date(expiresAt) })
          .where(eq(sessions.id, id))
        await orm.update(devices).set({ usedAt: used }).where(eq(devices.id, session.deviceId))
      }
      return {
        id,
        userId: session.userId,
        deviceId: session.deviceId,
        projectId: session.projectId,
        signedInAt: session.signedInAt.getTime(),
        expiresAt,
        user: accounts.show(restoring === undefined ? user : { ...user, email: restoring.formerEmail }),
        hold: await holdOf(session, device, change),
      }
    },

    async signOut(session) {
      await orm.delete(sessions).where(eq(sessions.id, session.id))
    },

    async takeConfirmation(session, purpose, otp) {
      if (!needsCode(session, mails)) {
        requireFreshSignIn(session)
        return
      }
      if (otp === undefined) throw walletFailure('WRONG_CODE')
      const tries = [{ rate: confirmationTries, who: session.userId }]
      const result = await codes.verify(confirmScope(session, purpose), otp, { whileValid: tries })
      if (!result.ok) throw walletFailure(result.failure, result.retryAfter, result.triesLeft)
    },

    async signOutEverywhere(userId) {
      await orm.delete(sessions).where(eq(sessions.userId, userId))
    },

    async block(userId) {
      await orm
        .update(users)
        .set({ blockedAt: new Date(now()) })
        .where(and(eq(users.id, userId), isNull(users.blockedAt)))
      await orm.delete(sessions).where(eq(sessions.userId, userId))
    },

    async unblock(userId) {
      await orm.update(users).set({ blockedAt: null }).where(eq(users.id, userId))
    },

    async signOutDevice(userId, deviceId) {
      await orm.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.deviceId, deviceId)))
    },

    async endDevice(userId, deviceId) {
      await orm
        .update(devices)
        .set({ revokedAt: new Date(now()) })
        .where(and(eq(devices.id, deviceId), eq(devices.userId, userId), isNull(devices.revokedAt)))
    },

    async deleteUser(userId, within) {
      await orm.transaction(async (tx) => {
        await within?.(tx)
        await tx.delete(users).where(eq(users.id, userId))
      })
    },

    async projectsOf(userId) {
      const removedSince = new Date(now() - removedCounts)
      const rows = await orm
        .select({ device: devices.projectId, session: sessions.projectId })
        .from(devices)
        .leftJoin(sessions, eq(sessions.deviceId, devices.id))
        .where(and(eq(devices.userId, userId), or(isNull(devices.revokedAt), gt(devices.revokedAt, removedSince))))
      return [...new Set(rows.flatMap(({ device, session }) => [device, session]).filter((id) => id !== null))]
    },

    async sweep() {
      await sweepRows(orm, sessions, lt(sessions.expiresAt, new Date(now())))
    },
  }
}

export function needsCode(session: Pick<Session, 'user'>, mails: boolean): boolean {
  return mails && session.user.email !== null
}

/** @throws {Problem} DPOP_REFUSED */
export async function keyOfCaller({ req }: Context, proofs: Pick<Proofs, 'verify'>): Promise<string> {
  const { method, path } = req
  const { thumbprint } = await proofs.verify(req.header('DPoP'), { method, path })
  return thumbprint
}

/** Reads `Authorization: DPoP …` and `DPoP`; sets `session`. */
export function requireSession({
  sessions,
  proofs,
}: {
  readonly sessions: Pick<Sessions, 'open'>
  readonly proofs: Pick<Proofs, 'verify' | 'use'>
}): MiddlewareHandler<SessionEnv> {
  return async (context, next) => {
    const token = /^DPoP ([A-Za-z0-9_-]{43})$/.exec(context.req.header('Authorization') ?? '')?.[1]
    const header = context.req.header('DPoP')
    if (token === undefined || header === undefined) throw walletFailure('SESSION_EXPIRED')
    const { method, path } = context.req
    const proof = await proofs.verify(header, { method, path, token })
    const session = await sessions.open(token, proof.thumbprint)
    await proofs.use(proof)
    refuseHeld(session.hold, path)
    context.set('session', session)
    context.set('sessionToken', token)
    return next()
  }
}
