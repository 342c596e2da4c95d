/** Begins sign-ins by email: 1, 2, 4, 9 and 11 of `email.ts`. */
import { type EmailChallenge, type EmailSolution, limits as protocolLimits } from '@postern/protocol'
import { walletFailure } from '../../platform/http/wallet-calls'
import { hashSecret, newSecret, type Secrets } from '../../platform/secrets/secrets'
import type { Challenges } from '../codes/challenges'
import type { Caller } from '../limits/caller-limits'
import { deviceMail, type Requester } from '../mail/messages'
import type { Accounts } from '../users/accounts'
import { parseEmailAddress } from '../users/email-address'
import { deviceKey, type EmailFlow, type EmailFlows, flowContext } from './email-flows'
import type { Mailing, Sending } from './mailing'
import { type NotMe, signInScope } from './not-me'

export type SignInRequests = {
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
}

export function createSignInRequests({
  flows,
  secrets,
  accounts,
  challenges,
  mailing,
  notMe,
  deviceUrl,
  now,
}: {
  readonly flows: Pick<EmailFlows, 'add' | 'remove' | 'find' | 'isDeviceOf' | 'isApproved' | 'hasAccount'>
  readonly secrets: Pick<Secrets, 'identities'>
  readonly accounts: Pick<Accounts, 'hashesOf'>
  readonly challenges: Challenges
  readonly mailing: Pick<Mailing, 'turnAway' | 'take' | 'usedBy' | 'send' | 'sendCode'>
  readonly notMe: Pick<NotMe, 'linkTo'>
  /** Such as `https://wallet.example.com/auth/device`. */
  readonly deviceUrl: string
  /** Epoch milliseconds. */
  readonly now: () => number
}): SignInRequests {
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

      const device = deviceKey({ emailHash, deviceTokenHash })
      const { address } = parsed
      const budget = known ? device : emailHash
      const bound = { projectId: caller.projectId, subjectHash: emailHash }
      const challenge = (solution === undefined ? null : challenges.read(solution, bound)) ?? 'none'
      const sending: Sending = { caller, cooldown: device, budgets: [budget], address, isKnown: known, challenge }
      await mailing.take(sending)

      const flow = newSecret()
      const link = needsLink ? newSecret() : null
      const row: EmailFlow = {
        id: hashSecret(flow),
        projectId: caller.projectId,
        emailHash,
        email: secrets.identities.seal(address, flowContext(hashSecret(flow))),
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
        await (link === null ? sendCode(row, requester, sending) : sendLink(link, row, requester, sending))
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
  }

  function sendCode(row: EmailFlow, requester: Requester, sending: Sending): Promise<void> {
    const to = sending.address
    return mailing.sendCode({
      to,
      scope: signInScope(row),
      purpose: 'sign-in',
      requester,
      notMe: notMeLink(to, row),
      sending,
    })
  }

  function sendLink(link: string, row: EmailFlow, requester: Requester, sending: Sending): Promise<void> {
    const to = sending.address
    const href = `${deviceUrl}?token=${link}`
    const minutes = protocolLimits.emailFlowLifetimeMs / 60_000
    return mailing.send(deviceMail({ to, href, requester, notMe: notMeLink(to, row), minutes }), sending)
  }

  function notMeLink(email: string, { deviceTokenHash }: EmailFlow): string {
    return notMe.linkTo({ kind: 'signIn', email, deviceTokenHash })
  }
}
