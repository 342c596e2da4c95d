/**
 * Sign-in by email.
 *
 * 1. If the address has an account, a device that it has not approved gets an emailed link first (VERIFY_DEVICE).
 *    Opening it and pressing the button approves the device and sends the six-digit code. A known device gets the code
 *    at once (VERIFY_OTP).
 * 2. Without an account there is nothing that another device could take, so the code comes at once (VERIFY_OTP). It
 *    only creates an account: if one exists by then, the code does not open it (CODE_EXPIRED).
 * 3. Opening the link changes nothing, because mail scanners open links. Approval is a POST, and works once.
 * 4. All requests for one address on one device count together: an older link still approves, and a newer code replaces
 *    the older. So a repeated request loses no progress.
 * 5. A code is accepted only from the device and the project that requested it.
 * 6. A try at a code takes from its device, the address, caller and project, all at once or none: a locked-out device
 *    affects no other, and a try that another limit refuses costs the device nothing. A try at a code that is not valid
 *    takes from its device alone.
 * 7. "This was not me" deletes all flows of the address and the device: neither link nor code works any more.
 * 8. A device that a limit refused is turned away from memory: ten thousand tries cost the database only a few queries.
 * 9. The answer of `begin` tells whether the address has an account, and emails its owner. No refusal tells it.
 * 10. The former address of a changed account makes no account while it can undo the change (EMAIL_ON_HOLD). While the
 *     account is frozen, it is the account's address for a sign-in that restores (`address-changes.ts`).
 * 11. Before an email the caller may have to solve a challenge (`challenges.ts`).
 */
import { type EmailChallenge, type EmailSolution, limits as protocolLimits, type SignedIn } from '@postern/protocol'
import { walletFailure } from '../../platform/http/wallet-calls'
import { type Rate, refusal } from '../../platform/limits/limiter'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import { createRefusals } from '../../platform/limits/refusals'
import { hashSecret, newSecret, type Secrets } from '../../platform/secrets/secrets'
import type { Language } from '../../projects/mail/text'
import type { Challenges } from '../codes/challenges'
import type { Codes } from '../codes/codes'
import type { Caller } from '../limits/caller-limits'
import { deviceMail, type ProjectMail, type Requester, type RequestFacts } from '../mail/messages'
import type { Sessions } from '../sessions/sessions'
import type { Accounts } from '../users/accounts'
import { parseEmailAddress } from '../users/email-address'
import type { EmailDevice, EmailFlow, EmailFlows } from './email-flows'
import type { Mailing, Sending } from './mailing'
import { type NotMe, signInScope } from './not-me'

const deviceTries: Rate = { name: 'tries of a device', burst: 10, every: 60_000 }

export type LinkState =
  /** `requester`: what the visitor is shown before approving. */
  | { readonly state: 'pending'; readonly requester: RequestFacts }
  | { readonly state: 'approved'; readonly requester: RequestFacts }
  | { readonly state: 'expired' | 'unknown' }

export type Approval = LinkState | { readonly state: 'mailFailed'; readonly requester: RequestFacts }

type Try = {
  readonly flow: string
  readonly otp: string
  readonly deviceToken: string
  readonly keyThumbprint: string
  readonly caller: Caller
}

export type EmailSignIn = {
  /** @throws {Problem} INVALID_EMAIL, EMAIL_COOLDOWN, TOO_MANY_ATTEMPTS, CHALLENGE_REQUIRED, MAIL_FAILED */
  begin(request: {
    readonly email: string
    readonly deviceToken: string
    readonly requester: Requester
    readonly caller: Caller
    readonly solution?: EmailSolution | undefined
  }): Promise<{ readonly flow: string; readonly action: 'VERIFY_DEVICE' | 'VERIFY_OTP' }>
  /** @throws {Problem} INVALID_EMAIL */
  challenge(email: string, caller: Caller): Promise<EmailChallenge>
  /** @throws {Problem} CODE_EXPIRED */
  isApproved(flow: string, projectId: string): Promise<boolean>
  look(token: string): Promise<LinkState>
  /** @param language of the browser that approves, which is the owner's. */
  approve(token: string, language: Language): Promise<Approval>
  /**
   * Refuses a try from memory, without the database.
   * @throws {Problem} TOO_MANY_ATTEMPTS
   */
  turnAway(attempt: Pick<Try, 'flow' | 'deviceToken' | 'caller'>): void
  /** @throws {Problem} WRONG_CODE, CODE_EXPIRED, CODE_SPENT, TOO_MANY_ATTEMPTS */
  verify(attempt: Try): Promise<SignedIn>
  sweep(): Promise<void>
}

export function createEmailSignIn(options: {
  readonly flows: EmailFlows
  readonly secrets: Pick<Secrets, 'identities'>
  readonly accounts: Pick<Accounts, 'hashesOf'>
  readonly codes: Codes
  readonly challenges: Challenges
  readonly limits: Pick<PostgresLimiter, 'refused'>
  readonly mailing: Mailing
  readonly sessions: Pick<Sessions, 'signInByEmail'>
  readonly notMe: Pick<NotMe, 'linkTo'>
  readonly projectMailOf: (projectId: string) => Promise<ProjectMail>
  /** Base of the emailed link: `https://wallet.example.com/auth/device`. */
  readonly deviceUrl: string
  /** Epoch milliseconds. */
  readonly now: () => number
}): EmailSignIn {
  const {
    flows,
    secrets,
    accounts,
    codes,
    challenges,
    limits,
    mailing,
    sessions,
    notMe,
    projectMailOf,
    deviceUrl,
    now,
  } = options
  const contextOf = (flowId: string) => `email flow ${flowId}`
  const deviceOf = (row: EmailDevice) => `${row.emailHash} ${row.deviceTokenHash}`
  const factsOf = ({ site, region, createdAt }: EmailFlow): RequestFacts => ({ site, region, at: createdAt.getTime() })
  const notMeLink = (email: string, deviceTokenHash: string) => notMe.linkTo({ kind: 'signIn', email, deviceTokenHash })
  /** Devices and flows that a limit refused. */
  const lockedOut = createRefusals({ now })
  const triedBy = ({ flow, deviceToken }: Pick<Try, 'flow' | 'deviceToken'>) =>
    `${hashSecret(flow)} ${hashSecret(deviceToken)}`

  return {
    async begin({ email, deviceToken, requester, caller, solution }) {
      const parsed = parseEmailAddress(email)
      if (parsed === null) throw walletFailure('INVALID_EMAIL')
      mailing.turnAway(caller)
      const emailHashes = accounts.hashesOf('email', parsed.subject)
      const [emailHash] = emailHashes
      const deviceTokenHash = hashSecret(deviceToken)
      const isMember = await flows.isDeviceOf(emailHashes, deviceTokenHash)
      const wasApproved = await flows.isApproved({ emailHash, deviceTokenHash })
      const known = isMember || wasApproved
      const needsLink = !known && (await flows.hasAccount(emailHashes))

      const device = deviceOf({ emailHash, deviceTokenHash })
      const { address } = parsed
      const budget = known ? device : emailHash
      const bound = { projectId: caller.projectId, subjectHash: emailHash }
      const challenge = (solution === undefined ? null : challenges.read(solution, bound)) ?? 'none'
      const sending: Sending = { caller, cooldown: device, budget, address, isKnown: known, challenge }
      await mailing.take(sending)

      const flow = newSecret()
      const link = needsLink ? newSecret() : null
      const row: EmailFlow = {
        id: hashSecret(flow),
        projectId: caller.projectId,
        emailHash,
        email: secrets.identities.seal(parsed.address, contextOf(hashSecret(flow))),
        deviceTokenHash,
        site: requester.site,
        region: requester.region,
        linkHash: link === null ? null : hashSecret(link),
        approvedAt: null,
        completedAt: null,
        createdAt: new Date(requester.at),
        expiresAt: new Date(now() + protocolLimits.emailFlowLifetimeMs),
      }
      await flows.add(row)
      try {
        if (link === null) {
          await mailing.sendCode({
            to: parsed.address,
            scope: signInScope(row),
            purpose: 'sign-in',
            requester,
            notMe: notMeLink(parsed.address, deviceTokenHash),
            sending,
          })
        } else {
          const href = `${deviceUrl}?token=${link}`
          const mail = deviceMail({
            to: parsed.address,
            href,
            requester,
            notMe: notMeLink(parsed.address, deviceTokenHash),
            minutes: protocolLimits.emailFlowLifetimeMs / 60_000,
          })
          await mailing.send(mail, sending)
        }
      } catch (error) {
        await flows.remove(row.id)
        throw error
      }
      return { flow, action: needsLink ? 'VERIFY_DEVICE' : 'VERIFY_OTP' }
    },

    async challenge(email, caller) {
      const parsed = parseEmailAddress(email)
      if (parsed === null) throw walletFailure('INVALID_EMAIL')
      const [emailHash] = accounts.hashesOf('email', parsed.subject)
      return challenges.issue({ projectId: caller.projectId, subjectHash: emailHash }, await mailing.usedBy(caller))
    },

    async isApproved(flow, projectId) {
      const row = await flows.find(flow)
      if (row === undefined || row.projectId !== projectId) throw walletFailure('CODE_EXPIRED')
      return row.linkHash === null || (await flows.isApproved(row))
    },

    look: async (token) => stateOf(await flows.findByLink(token)),

    async approve(token, language) {
      const row = await flows.approve(token)
      if (row === undefined) return stateOf(await flows.findByLink(token))
      const requester = factsOf(row)
      try {
        const to = secrets.identities.open(row.email, contextOf(row.id))
        await mailing.sendCode({
          to,
          scope: signInScope(row),
          purpose: 'sign-in',
          requester: { ...requester, language, ...(await projectMailOf(row.projectId)) },
          notMe: notMeLink(to, row.deviceTokenHash),
        })
      } catch {
        // The approval stands: the device can request a code without a link.
        return { state: 'mailFailed', requester }
      }
      return { state: 'approved', requester }
    },

    turnAway({ flow, deviceToken, caller }) {
      const wait = lockedOut.of(triedBy({ flow, deviceToken }))
      const refused = wait === null ? limits.refused(mailing.triesOf(caller)) : refusal(deviceTries, wait)
      if (refused !== null) throw walletFailure('TOO_MANY_ATTEMPTS', refused.retryAfter)
    },

    async verify({ flow, otp, deviceToken, keyThumbprint, caller }) {
      const row = await flows.find(flow)
      const isOwn =
        row?.deviceTokenHash === hashSecret(deviceToken) && row.projectId === caller.projectId && row !== undefined
      if (!isOwn) throw walletFailure('CODE_EXPIRED')
      if (row.completedAt !== null) throw walletFailure('CODE_SPENT')
      const email = secrets.identities.open(row.email, contextOf(row.id))
      const identity = { provider: 'email', subject: email.toLowerCase(), email, userName: null } as const
      const isKnown = await isKnownDevice(row, identity.subject)
      // A stranger who guesses at an address leaves the tries of its known devices.
      const result = await codes.verify(signInScope(row), otp, {
        always: [{ rate: deviceTries, who: deviceOf(row) }],
        whileValid: mailing.tries(caller, isKnown ? deviceOf(row) : row.emailHash, isKnown),
      })
      if (!result.ok) {
        const { failure, retryAfter, triesLeft } = result
        if (failure === 'TOO_MANY_ATTEMPTS') lockedOut.add(triedBy({ flow, deviceToken }), (retryAfter ?? 0) * 1000)
        throw walletFailure(failure, retryAfter, triesLeft)
      }
      // Deleted by "This was not me" in the meantime.
      if (!(await flows.complete(row))) throw walletFailure('CODE_EXPIRED')
      const device = { deviceToken, keyThumbprint }
      const signedIn = await sessions.signInByEmail(identity, device, caller.projectId, isKnown)
      if (signedIn === null) throw walletFailure('CODE_EXPIRED')
      return signedIn
    },

    sweep: flows.sweep,
  }

  /** Whether the address approved the device, for this sign-in or an earlier one. */
  async function isKnownDevice(row: EmailFlow, subject: string): Promise<boolean> {
    if (row.approvedAt !== null || (await flows.isApproved(row))) return true
    return flows.isDeviceOf(accounts.hashesOf('email', subject), row.deviceTokenHash)
  }

  function stateOf(row: EmailFlow | undefined): LinkState {
    if (row === undefined) return { state: 'unknown' }
    const shown = { requester: factsOf(row) }
    if (row.approvedAt !== null || row.completedAt !== null) return { state: 'approved', ...shown }
    return row.expiresAt.getTime() <= now() ? { state: 'expired' } : { state: 'pending', ...shown }
  }
}
