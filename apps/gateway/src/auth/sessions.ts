/**
 * Sessions: who is signed in, on which device.
 *
 * 1. A session is an opaque token of 256 bits; the gateway keeps its hash. It lives 30 days from its last use.
 * 2. It is bound to the device that signed in. A revoked device's sessions answer DEVICE_REVOKED, whatever they ask; unknown and expired ones SESSION_EXPIRED.
 * 3. Who a caller is comes from the session alone, never from what the call says.
 * 4. What a session alone does not allow needs a fresh code, mailed for that purpose and that session; where the account has no address, a sign-in younger than 10 minutes.
 */
import type { SignedIn, WalletApiUser } from '@postern/protocol'
import { and, eq, isNull, lt } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import { devices, sessions, users } from '../db/schema'
import type { CallerEnv } from '../http/caller'
import { walletFailure } from '../http/wallet-calls'
import { hashSecret, newSecret } from '../secrets/secrets'
import type { Accounts, Identity } from './accounts'
import type { Codes } from './codes'
import type { IdentityTokens } from './identity-token'
import type { Orm } from './limits'

const lifetime = 30 * 24 * 60 * 60_000
/** How often a session that is used is written again. */
const slidingStep = 60 * 60_000
/** Milliseconds during which a sign-in counts as fresh. */
export const freshness = 10 * 60_000

export type Session = {
  /** Hash of the token. */
  readonly id: string
  readonly userId: string
  readonly deviceId: string
  /** Where the visitor signed in; the same wallet may be used from another project. */
  readonly projectId: string
  /** Epoch ms. */
  readonly signedInAt: number
  readonly expiresAt: number
  readonly user: WalletApiUser
}

export type SessionEnv = CallerEnv & { Variables: { session: Session; sessionToken: string } }

export type ConfirmPurpose = 'export' | 'recovery' | 'delete'

export type Sessions = {
  /** Somebody proved to be `identity` on the device of `deviceToken`: finds or makes user and device, and opens a session. */
  signIn(identity: Identity, deviceToken: string, projectId: string): Promise<SignedIn>
  /** @throws {Problem} SESSION_EXPIRED, DEVICE_REVOKED */
  open(token: string): Promise<Session>
  /** The session anew, with another identity token, for whoever holds its token. */
  describe(session: Session, token: string, projectId: string): Promise<SignedIn>
  signOut(session: Session): Promise<void>
  /** Spends the code that was mailed for `purpose`. @throws {Problem} WRONG_CODE and its like; SESSION_EXPIRED where no code is due and the sign-in is old. */
  takeConfirmation(session: Session, purpose: ConfirmPurpose, otp?: string): Promise<void>
  /** @throws {Problem} SESSION_EXPIRED unless the visitor signed in within the last 10 minutes. */
  requireFreshSignIn(session: Session): void
  /** Its sessions answer DEVICE_REVOKED from here on, and its secret no longer makes it known. */
  endDevice(userId: string, deviceId: string): Promise<void>
  /** Every row of the user goes, and with it what references it. */
  deleteUser(userId: string): Promise<void>
  sweep(): Promise<void>
}

/** Whose code a confirmation asks for. */
export function confirmScope(session: Pick<Session, 'id'>, purpose: ConfirmPurpose): string {
  return `confirm ${purpose} ${session.id}`
}

export function createSessions(options: {
  readonly orm: Orm
  readonly accounts: Accounts
  readonly codes: Pick<Codes, 'verify'>
  readonly identityTokens: Pick<IdentityTokens, 'sign'>
  /** Whether codes can be mailed. Where they cannot, confirmations need a fresh sign-in. */
  readonly mails: boolean
  /** Epoch milliseconds. */
  readonly now: () => number
}): Sessions {
  const { orm, accounts, codes, identityTokens, mails, now } = options

  const describe: Sessions['describe'] = async (session, token, projectId) => {
    const { expiresAt, user, userId } = session
    const identityToken = await identityTokens.sign({ userId, projectId, expiresAt })
    return { status: 'signedIn', sessionToken: token, expiresAt, identityToken, user }
  }

  const requireFreshSignIn: Sessions['requireFreshSignIn'] = ({ signedInAt }) => {
    if (now() - signedInAt > freshness) throw walletFailure('SESSION_EXPIRED')
  }

  return {
    describe,
    requireFreshSignIn,

    async signIn(identity, deviceToken, projectId) {
      const row = await accounts.userOf(identity)
      const deviceId = await accounts.deviceOf(row.id, hashSecret(deviceToken))
      const token = newSecret()
      const at = now()
      const session: Session = {
        id: hashSecret(token),
        userId: row.id,
        deviceId,
        projectId,
        signedInAt: at,
        expiresAt: at + lifetime,
        user: accounts.show(row),
      }
      await orm.insert(sessions).values({
        id: session.id,
        userId: row.id,
        deviceId,
        projectId,
        signedInAt: new Date(at),
        usedAt: new Date(at),
        expiresAt: new Date(session.expiresAt),
      })
      return describe(session, token, projectId)
    },

    async open(token) {
      const at = now()
      const id = hashSecret(token)
      const [row] = await orm
        .select({ session: sessions, user: users, revokedAt: devices.revokedAt })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .innerJoin(devices, eq(devices.id, sessions.deviceId))
        .where(eq(sessions.id, id))
        .limit(1)
      if (row === undefined || row.session.expiresAt.getTime() <= at) throw walletFailure('SESSION_EXPIRED')
      if (row.revokedAt !== null) throw walletFailure('DEVICE_REVOKED')
      const { session, user } = row
      let expiresAt = session.expiresAt.getTime()
      if (at - session.usedAt.getTime() >= slidingStep) {
        expiresAt = at + lifetime
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
        user: accounts.show(user),
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
      const result = await codes.verify(confirmScope(session, purpose), otp)
      if (!result.ok) throw walletFailure(result.failure, result.retryAfter)
    },

    async endDevice(userId, deviceId) {
      await orm
        .update(devices)
        .set({ revokedAt: new Date(now()) })
        .where(and(eq(devices.id, deviceId), eq(devices.userId, userId), isNull(devices.revokedAt)))
    },

    async deleteUser(userId) {
      await orm.delete(users).where(eq(users.id, userId))
    },

    async sweep() {
      await orm.delete(sessions).where(lt(sessions.expiresAt, new Date(now())))
    },
  }
}

/** Whether a confirmation is by code: the account has an address, and this gateway sends mail. */
export function needsCode(session: Pick<Session, 'user'>, mails: boolean): boolean {
  return mails && session.user.email !== null
}

/** `Authorization: Bearer …`; puts the session on the context. */
export function requireSession(store: Pick<Sessions, 'open'>): MiddlewareHandler<SessionEnv> {
  return async (context, next) => {
    const token = /^Bearer ([A-Za-z0-9_-]{43})$/.exec(context.req.header('Authorization') ?? '')?.[1]
    if (token === undefined) throw walletFailure('SESSION_EXPIRED')
    context.set('session', await store.open(token))
    context.set('sessionToken', token)
    return next()
  }
}
