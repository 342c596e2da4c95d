/**
 * Rate-limited email.
 *
 * 1. At least 30 s lie between two emails to one visitor (spec §5): EMAIL_COOLDOWN has the seconds left.
 * 2. Emails are limited per address, caller and project: TOO_MANY_ATTEMPTS. Approved devices have a limit of their own,
 *    so that a stranger who uses up the address's limit cannot lock out its owner.
 * 3. If SMTP rejects an email, the failure is MAIL_FAILED; its code is withdrawn, and the user may request another at
 *    once.
 */
import { limits as protocolLimits } from '@postern/protocol'
import { walletFailure } from '../http/wallet-calls'
import type { Log } from '../log'
import { type Mail, MailError, type Mailer } from '../mail/mailer'
import { type CodePurpose, codeMail, type Requester } from '../mail/messages'
import { type Codes, codeLifetime } from './codes'
import type { Limits, Rate, Taking } from './limits'

export type MailRates = { readonly perCaller: number; readonly perProject: number }

export type Caller = {
  readonly projectId: string
  /** Network address, for limits only. */
  readonly address: string
}

export type Sending = {
  readonly caller: Caller
  /** Cooldown key. */
  readonly cooldown: string
  /** Mailbox limit key. */
  readonly budget: string
}

export type Mailing = {
  /**
   * Refuses from memory, without the database.
   * @throws {Problem} TOO_MANY_ATTEMPTS
   */
  turnAway(caller: Caller): void
  /** @throws {Problem} EMAIL_COOLDOWN, TOO_MANY_ATTEMPTS */
  take(sending: Sending): Promise<void>
  /** @throws {Problem} MAIL_FAILED */
  send(mail: Mail, sending?: Sending): Promise<void>
  /**
   * Takes from no rate.
   * @throws {Problem} MAIL_FAILED
   */
  sendCode(code: {
    readonly to: string
    readonly scope: string
    readonly purpose: CodePurpose
    readonly requester: Requester
    readonly sending?: Sending
  }): Promise<void>
  /** What a try at any code costs caller and project. */
  triesOf(caller: Caller): readonly Taking[]
  /** What a try at a code costs. */
  tries(caller: Caller, mailbox: string): readonly Taking[]
}

const hour = 3_600_000
const cooldownRate: Rate = { name: 'mail cooldown', burst: 1, every: protocolLimits.emailLoginCooldown }
const mailboxRate: Rate = { name: 'mails to an address', burst: 10, every: 5 * 60_000 }
const tryRate: Rate = { name: 'tries at an address', burst: 60, every: 60_000 }
const triesPerMail = 5

export function createMailing(options: {
  readonly mailer: Mailer
  readonly limits: Pick<Limits, 'take' | 'giveBack' | 'refused'>
  readonly codes: Pick<Codes, 'issue'>
  readonly rates: MailRates
  readonly log: Pick<Log, 'warn'>
}): Mailing {
  const { mailer, limits, codes, rates, log } = options
  const hourly = (name: string, count: number): Rate => ({ name, burst: count, every: Math.ceil(hour / count) })
  const callerRate = hourly('mails of a caller', rates.perCaller)
  const projectRate = hourly('mails of a project', rates.perProject)
  const callerTries = hourly('tries of a caller', rates.perCaller * triesPerMail)
  const projectTries = hourly('tries of a project', rates.perProject * triesPerMail)
  const coolingOf = (sending: Sending): Taking => ({ rate: cooldownRate, who: sending.cooldown })
  const mailsOf = (caller: Caller): readonly Taking[] => [
    { rate: callerRate, who: caller.address },
    { rate: projectRate, who: caller.projectId },
  ]

  const triesOf: Mailing['triesOf'] = (caller) => [
    { rate: callerTries, who: caller.address },
    { rate: projectTries, who: caller.projectId },
  ]

  const send: Mailing['send'] = async (mail, sending) => {
    try {
      await mailer.send(mail)
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      log.warn({ reason: error.reason }, 'mail failed')
      if (sending !== undefined) await limits.giveBack(coolingOf(sending))
      throw walletFailure('MAIL_FAILED')
    }
  }

  return {
    send,

    turnAway(caller) {
      const refused = limits.refused(mailsOf(caller))
      if (refused !== null) throw walletFailure('TOO_MANY_ATTEMPTS', refused.retryAfter)
    },

    async take(sending) {
      const { caller, budget } = sending
      const taken = await limits.take([coolingOf(sending), { rate: mailboxRate, who: budget }, ...mailsOf(caller)])
      if (taken.ok) return
      throw walletFailure(taken.rate === cooldownRate ? 'EMAIL_COOLDOWN' : 'TOO_MANY_ATTEMPTS', taken.retryAfter)
    },

    async sendCode({ to, scope, purpose, requester, sending }) {
      const code = await codes.issue(scope)
      const mail = codeMail({ to, code: code.digits, purpose, requester, minutes: codeLifetime / 60_000 })
      try {
        await send(mail, sending)
      } catch (error) {
        await code.withdraw()
        throw error
      }
    },

    triesOf,
    tries: (caller, mailbox) => [{ rate: tryRate, who: mailbox }, ...triesOf(caller)],
  }
}
