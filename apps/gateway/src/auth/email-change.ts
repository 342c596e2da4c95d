/**
 * Changes the address of an email account.
 *
 * 1. The user enters a code from the old address (VERIFY_PRIMARY_OTP), then one from the new address
 *    (VERIFY_SECONDARY_OTP); only then the account moves. Each code, and the first step, holds for the new address that
 *    the user was shown, also if another one is requested meanwhile.
 * 2. A repeated request for the same address within 10 minutes of the first step, in the same session, continues at the
 *    second step.
 * 3. Only a user who proved control of the new address learns that it already has an account: EMAIL_TAKEN comes after
 *    its code.
 * 4. Tries at the code from the old address count with the account's other confirmations, over all codes and sessions.
 * 5. The old address is notified. Devices and sessions stay, because they belong to the user.
 */
import type { WalletApiBody } from '@postern/protocol'
import { and, eq, gt, inArray, ne } from 'drizzle-orm'
import { emailChanges, users } from '../db/schema'
import { isCode } from '../error-code'
import { problem } from '../http/problem'
import { walletFailure } from '../http/wallet-calls'
import { addressChangedMail, type Requester } from '../mail/messages'
import type { Secrets } from '../secrets/secrets'
import type { Accounts } from './accounts'
import type { Caller } from './caller-limits'
import type { Codes } from './codes'
import { parseEmailAddress } from './email-address'
import type { Orm, Taking } from './limits'
import type { Mailing, Sending } from './mailing'
import type { NotMe } from './not-me'
import { confirmationTries, freshness, type Session } from './sessions'

const changeLifetime = 30 * 60_000

/** `email`: the new address that the user was shown. */
type Confirmed = WalletApiBody<'emailChangePrimary'>

type Call = { readonly session: Session; readonly caller: Caller; readonly requester: Requester }

export type EmailChange = {
  /** @throws {Problem} INVALID_EMAIL, EMAIL_COOLDOWN, TOO_MANY_ATTEMPTS, MAIL_FAILED */
  begin(call: Call, email: string): Promise<'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'>
  verifyPrimary(call: Call, confirmed: Confirmed): Promise<void>
  /**
   * @returns the new address.
   * @throws {Problem} EMAIL_TAKEN, and the failures of a code.
   */
  verifySecondary(call: Call, confirmed: Confirmed): Promise<string>
}

export function createEmailChange(options: {
  readonly orm: Orm
  readonly secrets: Pick<Secrets, 'identities'>
  readonly accounts: Pick<Accounts, 'hashesOf' | 'seal'>
  readonly codes: Codes
  readonly mailing: Mailing
  readonly notMe: Pick<NotMe, 'linkTo'>
  /** Epoch milliseconds. */
  readonly now: () => number
}): EmailChange {
  const { orm, secrets, accounts, codes, mailing, notMe, now } = options
  const toOwner = ({ userId, deviceId }: Session) => notMe.linkTo({ kind: 'device', userId, deviceId })
  // The new address may be a stranger's, who must not sign the user out.
  const toNewAddress = ({ userId, id }: Session) => notMe.linkTo({ kind: 'emailChange', userId, sessionId: id })
  const contextOf = (userId: string) => `email change ${userId}`
  const primaryScope = ({ id }: Session, newEmail: string) => `email-primary ${id} ${hashOf(newEmail)}`
  const secondaryScope = ({ id }: Session, newEmail: string) => `email-secondary ${id} ${hashOf(newEmail)}`

  return {
    async begin(call, email) {
      const { session, caller, requester } = call
      const from = addressOf(session)
      const to = parseEmailAddress(email)
      if (to === null) throw walletFailure('INVALID_EMAIL')
      const pending = await changeOf(session)
      // 2
      const verifiedAt = pending !== undefined && isOf(pending, to.address) ? pending.primaryVerifiedAt : null
      const isSecond = verifiedAt !== null
      const target = isSecond ? to.address : from
      const sending: Sending = {
        caller,
        cooldown: `change ${session.id}`,
        budget: isSecond ? hashOf(target) : `change ${session.userId}`,
        address: target,
        isKnown: !isSecond,
        challenge: 'exempt',
      }
      await mailing.take(sending)
      const row = {
        sessionId: session.id,
        newEmail: secrets.identities.seal(to.address, contextOf(session.userId)),
        primaryVerifiedAt: verifiedAt,
        expiresAt: new Date(now() + changeLifetime),
      }
      await orm
        .insert(emailChanges)
        .values({ userId: session.userId, ...row })
        .onConflictDoUpdate({ target: emailChanges.userId, set: row })
      const scope = isSecond ? secondaryScope(session, to.address) : primaryScope(session, to.address)
      const purpose = isSecond ? 'email-secondary' : 'email-primary'
      const link = isSecond ? toNewAddress(session) : toOwner(session)
      await mailing.sendCode({ to: target, scope, purpose, requester, notMe: link, sending })
      return isSecond ? 'VERIFY_SECONDARY_OTP' : 'VERIFY_PRIMARY_OTP'
    },

    async verifyPrimary({ session, caller, requester }, { otp, email }) {
      const from = addressOf(session)
      const change = await changeOf(session)
      if (change === undefined || !isOf(change, email)) throw walletFailure('CODE_EXPIRED')
      const to = newEmailOf(change)
      await spend(primaryScope(session, to), otp, [
        { rate: confirmationTries, who: session.userId },
        ...mailing.tries(caller, hashOf(from), false),
      ])
      const verified = await orm
        .update(emailChanges)
        .set({ primaryVerifiedAt: new Date(now()) })
        // Another change may have begun meanwhile. This code does not confirm it.
        .where(
          and(
            eq(emailChanges.userId, session.userId),
            eq(emailChanges.sessionId, session.id),
            eq(emailChanges.newEmail, change.newEmail),
          ),
        )
        .returning({ userId: emailChanges.userId })
      if (verified.length === 0) throw walletFailure('CODE_EXPIRED')
      const scope = secondaryScope(session, to)
      await mailing.sendCode({ to, scope, purpose: 'email-secondary', requester, notMe: toNewAddress(session) })
    },

    async verifySecondary({ session, caller, requester }, { otp, email }) {
      const from = addressOf(session)
      const change = await changeOf(session)
      if (change === undefined || change.primaryVerifiedAt === null || !isOf(change, email))
        throw walletFailure('CODE_EXPIRED')
      const to = newEmailOf(change)
      await spend(secondaryScope(session, to), otp, mailing.tries(caller, hashOf(to), false))
      await move(session.userId, to)
      await orm.delete(emailChanges).where(eq(emailChanges.userId, session.userId))
      // The account has moved, even if this notice fails.
      await mailing.send(addressChangedMail({ to: from, requester, notMe: toOwner(session) })).catch(() => {})
      return to
    },
  }

  /** The session's pending change; its first step is valid for 10 minutes. */
  async function changeOf(session: Session): Promise<typeof emailChanges.$inferSelect | undefined> {
    const at = now()
    const [row] = await orm
      .select()
      .from(emailChanges)
      .where(
        and(
          eq(emailChanges.userId, session.userId),
          eq(emailChanges.sessionId, session.id),
          gt(emailChanges.expiresAt, new Date(at)),
        ),
      )
      .limit(1)
    if (row === undefined) return undefined
    const verified = row.primaryVerifiedAt
    return { ...row, primaryVerifiedAt: verified !== null && at - verified.getTime() <= freshness ? verified : null }
  }

  /** @param email undefined if the caller does not say. */
  function isOf(change: typeof emailChanges.$inferSelect, email: string | undefined): boolean {
    return email === undefined || hashOf(parseEmailAddress(email)?.address ?? '') === hashOf(newEmailOf(change))
  }

  function newEmailOf(change: typeof emailChanges.$inferSelect): string {
    return secrets.identities.open(change.newEmail, contextOf(change.userId))
  }

  function hashOf(address: string): string {
    return accounts.hashesOf('email', address.toLowerCase())[0]
  }

  async function spend(scope: string, otp: string, takings: readonly Taking[]): Promise<void> {
    const result = await codes.verify(scope, otp, takings)
    if (!result.ok) throw walletFailure(result.failure, result.retryAfter, result.triesLeft)
  }

  async function move(userId: string, to: string): Promise<void> {
    const hashes = accounts.hashesOf('email', to.toLowerCase())
    // Under an older key the address has another hash, which the index does not catch.
    const [other] = await orm
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.provider, 'email'), inArray(users.subjectHash, [...hashes]), ne(users.id, userId)))
      .limit(1)
    if (other !== undefined) throw walletFailure('EMAIL_TAKEN')
    try {
      await orm
        .update(users)
        .set({ subjectHash: hashes[0], email: accounts.seal(userId, to, 'email') })
        .where(and(eq(users.id, userId), eq(users.provider, 'email')))
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (isCode(error, uniqueViolation) || isCode(cause, uniqueViolation)) throw walletFailure('EMAIL_TAKEN')
      throw error
    }
  }
}

/** SQLSTATE of PostgreSQL. */
const uniqueViolation = '23505'

function addressOf({ user }: Session): string {
  if (user.provider === 'email' && user.email !== null) return user.email
  throw problem(403, 'provider', 'Only an account of an email address has one to change')
}
