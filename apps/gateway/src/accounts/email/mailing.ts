/**
 * Rate-limited email.
 *
 * 1. Emails to one visitor are at least 30 s apart (spec §5): EMAIL_COOLDOWN.
 * 2. Emails and tries are limited per address, and by `caller-limits.ts`.
 * 3. Strangers cannot lock out known devices, which have their own limits and a reserve per project. A mail domain can
 *    use a twelfth of it, all domains that one hoster gives to customers a quarter; then it shares the limit of new
 *    devices.
 * 4. If SMTP rejects an email (MAIL_FAILED), its code is withdrawn and the cooldown ends.
 * 5. Some emails need a solved challenge; those of signed-in users do not.
 * 6. The log says once an hour per project that only the reserve is left.
 */
import { limits as protocolLimits } from '@postern/protocol'
import { ownedDomain, registeredDomain } from '../../platform/http/registrable-domain'
import { walletFailure } from '../../platform/http/wallet-calls'
import type { Rate, Taking } from '../../platform/limits/limiter'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import type { Log } from '../../platform/log/log'
import type { Codes } from '../codes/codes'
import { type Caller, createCallerLimits, hourly, shareOf } from '../limits/caller-limits'
import { type Mail, MailError, type Mailer } from '../mail/mailer'
import { type CodePurpose, codeMail, type Requester } from '../mail/messages'

export type MailRates = { readonly perCaller: number; readonly perProject: number }

export type Sending = {
  readonly caller: Caller
  readonly cooldown: string
  /** Keys of the mailbox limit, for each mailbox that the step may write to. */
  readonly budgets: readonly string[]
  readonly address: string
  /** Approved by the owner, or signed in. */
  readonly isKnown: boolean
  /** `exempt`: a signed-in user. */
  readonly challenge: Taking | 'none' | 'exempt'
}

export type Mailing = {
  /** Checks only the memory, as for a known device. @throws {Problem} TOO_MANY_ATTEMPTS */
  turnAway(caller: Caller): void
  /** @throws {Problem} EMAIL_COOLDOWN, TOO_MANY_ATTEMPTS, CHALLENGE_REQUIRED */
  take(sending: Sending): Promise<void>
  /** Used part of the limit of new devices, 0 to 1. */
  usedBy(caller: Caller): Promise<number>
  /** @throws {Problem} MAIL_FAILED */
  send(mail: Mail, sending?: Sending): Promise<void>
  /** Takes from no rate. @throws {Problem} MAIL_FAILED */
  sendCode(code: {
    readonly to: string
    readonly scope: string
    readonly purpose: CodePurpose
    readonly requester: Requester
    readonly notMe: string
    readonly sending?: Sending
  }): Promise<void>
  /** Cost of a try on a known device. */
  triesOf(caller: Caller): readonly Taking[]
  /** `target`: the mailbox, or the known device. */
  tries(caller: Caller, target: string, isKnown: boolean): readonly Taking[]
}

/** Between log lines about a project, in ms. */
const endingPeriod = 3_600_000
const cooldownRate: Rate = { name: 'mail cooldown', burst: 1, every: protocolLimits.emailLoginCooldownMs }
const mailboxRate: Rate = { name: 'mails to an address', burst: 10, every: 5 * 60_000 }
const knownMailboxRate: Rate = { name: 'mails to an address for known devices', burst: 30, every: 100_000 }
const tryRate: Rate = { name: 'tries at an address', burst: 60, every: 60_000 }
const triesPerMail = 5
/** A mail domain's part of the reserve. */
const knownDomainShare = 1 / 12
/** All domains of one hoster, such as `duckdns.org`. */
const knownHosterShare = 1 / 4
/** Each email reaches an owner, so challenges come early. */
const unsolvedCallerShare = 1 / 12

export function createMailing(options: {
  readonly mailer: Mailer
  readonly limits: Pick<PostgresLimiter, 'take' | 'giveBack' | 'refused' | 'used'>
  readonly codes: Pick<Codes, 'issue'>
  readonly rates: MailRates
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}): Mailing {
  const { mailer, limits, codes, rates, log, now } = options
  const project = hourly(rates.perProject)
  const domainRate = { name: 'mails to a domain for known devices', ...shareOf(project, knownDomainShare) }
  const hosterRate = { name: 'mails to a hoster for known devices', ...shareOf(project, knownHosterShare) }
  /** Last log line by project. */
  const endings = new Map<string, number>()
  const mailLimits = createCallerLimits('mails', { caller: hourly(rates.perCaller), project, unsolvedCallerShare })
  const tryLimits = createCallerLimits('tries', {
    caller: hourly(rates.perCaller * triesPerMail),
    project: hourly(rates.perProject * triesPerMail),
    unsolvedCallerShare,
  })
  const coolingOf = (sending: Sending): Taking => ({ rate: cooldownRate, who: sending.cooldown })
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
      const refused = limits.refused(mailLimits.of(caller, true))
      if (refused !== null) throw walletFailure('TOO_MANY_ATTEMPTS', refused.retryAfter)
    },

    async take(sending) {
      const { caller, budgets, address, isKnown, challenge } = sending
      const own = [
        coolingOf(sending),
        ...(typeof challenge === 'object' ? [challenge] : []),
        ...budgets.map((who) => ({ rate: mailboxRate, who })),
        ...(isKnown ? [{ rate: knownMailboxRate, who: address.toLowerCase() }] : []),
      ]
      const takeAs = (known: boolean) =>
        limits.take([
          ...own,
          ...(known ? domainLimits(sending) : []),
          ...mailLimits.of(caller, known),
          ...(challenge === 'none' ? mailLimits.unsolved(caller, known) : []),
        ])
      let taken = await takeAs(isKnown)
      if (!taken.ok && (taken.rate === domainRate || taken.rate === hosterRate)) taken = await takeAs(false)
      if (taken.ok) return
      noteEnd(taken.rate, caller.projectId)
      if (taken.rate === cooldownRate) throw walletFailure('EMAIL_COOLDOWN', taken.retryAfter)
      mailLimits.refuse(taken)
    },

    async usedBy(caller) {
      return Math.max(...(await Promise.all(mailLimits.of(caller, false).map((taking) => limits.used(taking)))))
    },

    async sendCode({ to, scope, purpose, requester, notMe, sending }) {
      const code = await codes.issue(scope)
      const mail = codeMail({
        to,
        code: code.digits,
        purpose,
        requester,
        notMe,
        minutes: protocolLimits.emailCodeLifetimeMs / 60_000,
      })
      try {
        await send(mail, sending)
      } catch (error) {
        await code.withdraw()
        throw error
      }
    },

    triesOf: (caller) => tryLimits.of(caller, true),
    tries: (caller, target, isKnown) => [{ rate: tryRate, who: target }, ...tryLimits.of(caller, isKnown)],
  }

  /** By the domain's owner, and by the hoster. */
  function domainLimits({ caller, address }: Sending): readonly Taking[] {
    const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    const [owned, registered] = [ownedDomain(host), registeredDomain(host)]
    const ofDomain = { rate: domainRate, who: `${caller.projectId} ${owned}` }
    return owned === registered
      ? [ofDomain]
      : [ofDomain, { rate: hosterRate, who: `${caller.projectId} ${registered}` }]
  }

  /** 6 */
  function noteEnd(rate: Rate, projectId: string): void {
    if (rate !== mailLimits.strangersRate) return
    const at = now()
    if (at - (endings.get(projectId) ?? 0) < endingPeriod) return
    endings.set(projectId, at)
    log.warn({ projectId }, 'mail budget used up: only the reserve for known devices is left')
  }
}
