/** Tries at the code of a sign-in by email: 5, 6, 8 and 10 of `email.ts`. */
import type { SignedIn } from '@postern/protocol'
import { walletFailure } from '../../platform/http/wallet-calls'
import { type Rate, refusal } from '../../platform/limits/limiter'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import { createRefusals } from '../../platform/limits/refusals'
import { hashSecret, type Secrets } from '../../platform/secrets/secrets'
import type { Codes } from '../codes/codes'
import type { Caller } from '../limits/caller-limits'
import type { Sessions } from '../sessions/sessions'
import type { Accounts } from '../users/accounts'
import { deviceKey, type EmailFlow, type EmailFlows, flowContext } from './email-flows'
import type { Mailing } from './mailing'
import { signInScope } from './not-me'

const deviceTries: Rate = { name: 'tries of a device', burst: 10, every: 60_000 }

type Try = {
  readonly flow: string
  readonly otp: string
  readonly deviceToken: string
  readonly keyThumbprint: string
  readonly caller: Caller
}

export type SignInTries = {
  /** Refuses from memory. @throws {Problem} TOO_MANY_ATTEMPTS */
  turnAway(attempt: Pick<Try, 'flow' | 'deviceToken' | 'caller'>): void
  /** @throws {Problem} WRONG_CODE, CODE_EXPIRED, CODE_SPENT, TOO_MANY_ATTEMPTS */
  verify(attempt: Try): Promise<SignedIn>
}

export function createSignInTries({
  flows,
  secrets,
  accounts,
  codes,
  limits,
  mailing,
  sessions,
  now,
}: {
  readonly flows: Pick<EmailFlows, 'find' | 'complete' | 'isApproved' | 'isDeviceOf'>
  readonly secrets: Pick<Secrets, 'identities'>
  readonly accounts: Pick<Accounts, 'hashesOf'>
  readonly codes: Pick<Codes, 'verify'>
  readonly limits: Pick<PostgresLimiter, 'refused'>
  readonly mailing: Pick<Mailing, 'tries' | 'triesOf'>
  readonly sessions: Pick<Sessions, 'signInByEmail'>
  /** Epoch milliseconds. */
  readonly now: () => number
}): SignInTries {
  const lockedOut = createRefusals({ now })
  /** Newest running try of each. */
  const running = new Map<string, Promise<unknown>>()
  const triedBy = ({ flow, deviceToken }: Pick<Try, 'flow' | 'deviceToken'>) =>
    `${hashSecret(flow)} ${hashSecret(deviceToken)}`

  return {
    turnAway,
    verify: (attempt) =>
      afterRunning(triedBy(attempt), () => {
        turnAway(attempt)
        return verify(attempt)
      }),
  }

  function turnAway({ flow, deviceToken, caller }: Pick<Try, 'flow' | 'deviceToken' | 'caller'>): void {
    const wait = lockedOut.of(triedBy({ flow, deviceToken }))
    const refused = wait === null ? limits.refused(mailing.triesOf(caller)) : refusal(deviceTries, wait)
    if (refused !== null) throw walletFailure('TOO_MANY_ATTEMPTS', refused.retryAfter)
  }

  /** Waiting tries hold no connection, and meet the first refusal in memory. */
  async function afterRunning<T>(key: string, work: () => Promise<T>): Promise<T> {
    const own = (running.get(key) ?? Promise.resolve()).then(work, work)
    running.set(key, own)
    try {
      return await own
    } finally {
      if (running.get(key) === own) running.delete(key)
    }
  }

  async function verify({ flow, otp, deviceToken, keyThumbprint, caller }: Try): Promise<SignedIn> {
    const row = await flows.find(flow)
    const isOwn =
      row?.deviceTokenHash === hashSecret(deviceToken) && row.projectId === caller.projectId && row !== undefined
    if (!isOwn) throw walletFailure('CODE_EXPIRED')
    if (row.completedAt !== null) throw walletFailure('CODE_SPENT')
    const email = secrets.identities.open(row.email, flowContext(row.id))
    const identity = { provider: 'email', subject: email.toLowerCase(), email, userName: null } as const
    const isKnown = await isKnownDevice(row, identity.subject)
    // Strangers' guesses leave known devices their tries.
    const result = await codes.verify(signInScope(row), otp, {
      always: [{ rate: deviceTries, who: deviceKey(row) }],
      whileValid: mailing.tries(caller, isKnown ? deviceKey(row) : row.emailHash, isKnown),
    })
    if (!result.ok) {
      const { failure, retryAfter, triesLeft } = result
      if (failure === 'TOO_MANY_ATTEMPTS') lockedOut.add(triedBy({ flow, deviceToken }), (retryAfter ?? 0) * 1000)
      throw walletFailure(failure, retryAfter, triesLeft)
    }
    // Deleted by "This was not me".
    if (!(await flows.complete(row))) throw walletFailure('CODE_EXPIRED')
    const device = { deviceToken, keyThumbprint }
    const signedIn = await sessions.signInByEmail(identity, device, caller.projectId, isKnown)
    if (signedIn === null) throw walletFailure('CODE_EXPIRED')
    return signedIn
  }

  /** Approved now or earlier. */
  async function isKnownDevice(row: EmailFlow, subject: string): Promise<boolean> {
    if (row.approvedAt !== null || (await flows.isApproved(row))) return true
    return flows.isDeviceOf(accounts.hashesOf('email', subject), row.deviceTokenHash)
  }
}
