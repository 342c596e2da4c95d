/**
 * Changes the address of an email account.
 *
 * 1. The user enters a code from the old address (VERIFY_PRIMARY_OTP), then one from the new (VERIFY_SECONDARY_OTP).
 *    Each is for the new address that the user saw.
 * 2. A repeated request continues at the second step, for 10 minutes after the first.
 * 3. EMAIL_TAKEN comes after the new address's code: only its owner learns of the account.
 * 4. Tries at the old address's code count with the account's other confirmations.
 * 5. Both addresses are notified; devices and sessions stay. The old address can undo the change
 *    (`address-changes.ts`).
 */
import type { WalletApiAnswer, WalletApiBody } from '@postern/protocol'
import { problem } from '../../platform/http/problem'
import { walletFailure } from '../../platform/http/wallet-calls'
import type { Taking } from '../../platform/limits/limiter'
import type { Codes } from '../codes/codes'
import type { Caller } from '../limits/caller-limits'
import type { Mail } from '../mail/mailer'
import { addressChangedMail, type Requester } from '../mail/messages'
import { confirmationTries, type Session } from '../sessions/sessions'
import type { Accounts } from '../users/accounts'
import { type AddressChange, type AddressChanges, onHold, undoMs } from '../users/address-changes'
import { parseEmailAddress } from '../users/email-address'
import type { Mailing, Sending } from './mailing'
import type { NotMe } from './not-me'
import type { PendingChange, PendingChanges } from './pending-changes'

/** `email`: as the user saw it. */
type Confirmed = WalletApiBody<'emailChangePrimary'>

type Call = { readonly session: Session; readonly caller: Caller; readonly requester: Requester }

export type EmailChange = {
  /** @throws {Problem} INVALID_EMAIL, EMAIL_ON_HOLD, EMAIL_COOLDOWN, TOO_MANY_ATTEMPTS, MAIL_FAILED */
  begin(call: Call, email: string): Promise<'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'>
  verifyPrimary(call: Call, confirmed: Confirmed): Promise<void>
  /** @throws {Problem} EMAIL_TAKEN, EMAIL_ON_HOLD, a code's failures */
  verifySecondary(call: Call, confirmed: Confirmed): Promise<WalletApiAnswer<'emailChangeSecondary'>>
}

export function createEmailChange(options: {
  readonly pendingChanges: PendingChanges
  readonly accounts: Pick<Accounts, 'hashesOf' | 'seal'>
  readonly addressChanges: Pick<AddressChanges, 'ofUser' | 'move'>
  readonly codes: Codes
  readonly mailing: Mailing
  readonly notMe: Pick<NotMe, 'linkTo'>
  /** Epoch milliseconds. */
  readonly now: () => number
}): EmailChange {
  const { pendingChanges, accounts, addressChanges, codes, mailing, notMe, now } = options
  const toOwner = ({ userId, deviceId }: Session, email: string) =>
    notMe.linkTo({ kind: 'device', userId, deviceId, email })
  // The new address may be a stranger's, who must not sign the user out.
  const toNewAddress = ({ userId, id }: Session, email: string) =>
    notMe.linkTo({ kind: 'emailChange', userId, sessionId: id, email })
  const primaryScope = ({ id }: Session, newEmail: string) => `email-primary ${id} ${hashOf(newEmail)}`
  const secondaryScope = ({ id }: Session, newEmail: string) => `email-secondary ${id} ${hashOf(newEmail)}`

  return {
    async begin(call, email) {
      const { session, caller, requester } = call
      const from = addressOf(session)
      const to = parseEmailAddress(email)
      if (to === null) throw walletFailure('INVALID_EMAIL')
      const last = await addressChanges.ofUser(session.userId)
      if (last !== undefined) throw onHold(last, now())
      const pending = await pendingChanges.of(session)
      // 2
      const verifiedAt = pending !== undefined && isOf(pending, to.address) ? pending.primaryVerifiedAt : null
      const isSecond = verifiedAt !== null
      const target = isSecond ? to.address : from
      const sending: Sending = {
        caller,
        cooldown: `change ${session.id}`,
        // The first code sends a second email, which must find its mailbox's limit.
        budgets: isSecond ? [hashOf(to.address)] : [`change ${session.userId}`, hashOf(to.address)],
        address: target,
        isKnown: !isSecond,
        challenge: 'exempt',
      }
      await mailing.take(sending)
      await pendingChanges.put(session, { newEmail: to.address, primaryVerifiedAt: verifiedAt })
      const scope = isSecond ? secondaryScope(session, to.address) : primaryScope(session, to.address)
      const purpose = isSecond ? 'email-secondary' : 'email-primary'
      const link = isSecond ? toNewAddress(session, to.address) : toOwner(session, from)
      await mailing.sendCode({ to: target, scope, purpose, requester, notMe: link, sending })
      return isSecond ? 'VERIFY_SECONDARY_OTP' : 'VERIFY_PRIMARY_OTP'
    },

    async verifyPrimary({ session, caller, requester }, { otp, email }) {
      addressOf(session)
      const change = await pendingChanges.of(session)
      if (change === undefined || !isOf(change, email)) throw walletFailure('CODE_EXPIRED')
      const to = change.newEmail
      await spend(primaryScope(session, to), otp, [
        { rate: confirmationTries, who: session.userId },
        ...mailing.tries(caller, `change ${session.userId}`, true),
      ])
      if (!(await pendingChanges.confirmPrimary(session, change))) throw walletFailure('CODE_EXPIRED')
      const scope = secondaryScope(session, to)
      await mailing.sendCode({ to, scope, purpose: 'email-secondary', requester, notMe: toNewAddress(session, to) })
    },

    async verifySecondary({ session, caller, requester }, { otp, email }) {
      const from = addressOf(session)
      const change = await pendingChanges.of(session)
      if (change === undefined || change.primaryVerifiedAt === null || !isOf(change, email))
        throw walletFailure('CODE_EXPIRED')
      const to = change.newEmail
      await spend(secondaryScope(session, to), otp, mailing.tries(caller, hashOf(to), false))
      const { userId, deviceId } = session
      const hashes = accounts.hashesOf('email', to.toLowerCase())
      const moved = await addressChanges.move(
        { userId, deviceId },
        { hashes, sealed: accounts.seal(userId, to, 'email') },
      )
      await pendingChanges.remove(userId)
      // The account has moved, even if a notice fails.
      for (const [email, side] of [
        [from, 'former'],
        [to, 'present'],
      ] as const)
        await mailing.send(noticeOf(moved, { email, side }, requester)).catch(() => {})
      return { newEmail: to, undoUntil: moved.endsAt.getTime(), isProven: moved.isProven }
    },
  }

  function noticeOf(
    { userId, changedAt, endsAt, isProven }: AddressChange,
    to: { readonly email: string; readonly side: 'former' | 'present' },
    requester: Requester,
  ): Mail {
    const undoUntil = endsAt.getTime()
    const link = notMe.linkTo({ kind: 'addressChange', userId, changedAt: changedAt.getTime(), ...to })
    const dates = { undoUntil, frozenUntil: undoUntil + undoMs }
    return addressChangedMail({ to: to.email, side: to.side, requester, notMe: link, isProven, ...dates })
  }

  function isOf(change: PendingChange, email: string | undefined): boolean {
    return email === undefined || hashOf(parseEmailAddress(email)?.address ?? '') === hashOf(change.newEmail)
  }

  function hashOf(address: string): string {
    return accounts.hashesOf('email', address.toLowerCase())[0]
  }

  async function spend(scope: string, otp: string, takings: readonly Taking[]): Promise<void> {
    const result = await codes.verify(scope, otp, { whileValid: takings })
    if (!result.ok) throw walletFailure(result.failure, result.retryAfter, result.triesLeft)
  }
}

function addressOf({ user }: Session): string {
  if (user.provider === 'email' && user.email !== null) return user.email
  throw problem(403, 'provider', 'Only an account of an email address has one to change')
}
