/**
 * Rate-limited email.
 *
 * 1. At least 30 s lie between two emails to one visitor (spec §5): EMAIL_COOLDOWN has the seconds left.
 * 2. Emails and tries are limited per address, caller and project: TOO_MANY_ATTEMPTS. Over IPv6 the caller is its /64,
 *    and its /48 together has {@link callersPerSite} times as much.
 * 3. Known devices, and signed-in users, have limits of their own per address and caller, and a reserve per project beside
 *    what new devices have. So strangers cannot lock them out by using up any of these. Nor can the known devices of a
 *    few IPv6 /48s, mailboxes or mail domains: a /48 can use a sixth of the reserve, a domain a twelfth. A domain that
 *    has used up its part then shares the limit of new devices.
 * 4. If SMTP rejects an email, the failure is MAIL_FAILED; its code is withdrawn, and the user may request another at
 *    once.
 * 5. Without a solved challenge (`challenges.ts`) new devices have half of their part of the project's limit, and a caller's
 *    twelfth of its own; known devices have half of the reserve. Signed-in users need no challenge.
 * 6. The log says once an hour, for each project, that only the reserve is left.
 */
import { limits as protocolLimits } from '@postern/protocol'
import { siteOf } from '../http/client-address'
import { walletFailure } from '../http/wallet-calls'
import type { Log } from '../log'
import { type Mail, MailError, type Mailer } from '../mail/mailer'
import { type CodePurpose, codeMail, type Requester } from '../mail/messages'
import { isUseOfChallenge } from './challenges'
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
  /** Where the email goes. */
  readonly address: string
  /** The owner approved the device before, or is signed in on it. */
  readonly isKnown: boolean
  /** The use of a solved challenge; `none` without one, `exempt` for signed-in users. */
  readonly challenge: Taking | 'none' | 'exempt'
}

export type Mailing = {
  /**
   * Refuses from memory, without the database, a caller that may not send even for a known device.
   * @throws {Problem} TOO_MANY_ATTEMPTS
   */
  turnAway(caller: Caller): void
  /** @throws {Problem} EMAIL_COOLDOWN, TOO_MANY_ATTEMPTS, CHALLENGE_REQUIRED */
  take(sending: Sending): Promise<void>
  /** Used part of the limit of new devices, 0 to 1: the caller's or the project's, whichever is more. */
  usedBy(caller: Caller): Promise<number>
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
    /** Link for a reader who did not request it. */
    readonly notMe: string
    readonly sending?: Sending
  }): Promise<void>
  /** What a try on a known device costs caller and project. */
  triesOf(caller: Caller): readonly Taking[]
  /** What a try at a code costs. `target`: the mailbox, or the known device. */
  tries(caller: Caller, target: string, isKnown: boolean): readonly Taking[]
}

const hour = 3_600_000
const cooldownRate: Rate = { name: 'mail cooldown', burst: 1, every: protocolLimits.emailLoginCooldownMs }
const mailboxRate: Rate = { name: 'mails to an address', burst: 10, every: 5 * 60_000 }
/** Emails to all known devices of one mailbox. */
const knownMailboxRate: Rate = { name: 'mails to an address for known devices', burst: 30, every: 100_000 }
const tryRate: Rate = { name: 'tries at an address', burst: 60, every: 60_000 }
const triesPerMail = 5
/** How many /64s' worth of emails and tries a /48 has. */
const callersPerSite = 8
/** The part of a project's limit that new devices have. */
const newDeviceShare = 2 / 3
/** Parts of the reserve (as large as the project's limit) for the known devices of one /48, and of one mail domain. */
const knownSiteShare = 1 / 6
const knownDomainShare = 1 / 12
/** The part of a limit that can be used without a solved challenge. */
const unsolvedShare = 1 / 2
const unsolvedCallerShare = 1 / 12

export function createMailing(options: {
  readonly mailer: Mailer
  readonly limits: Pick<Limits, 'take' | 'giveBack' | 'refused' | 'used'>
  readonly codes: Pick<Codes, 'issue'>
  readonly rates: MailRates
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}): Mailing {
  const { mailer, limits, codes, rates, log, now } = options
  const hourly = (name: string, count: number): Rate => ({ name, burst: count, every: Math.ceil(hour / count) })
  const shareOf = (count: number, share: number) => Math.max(1, Math.floor(count * share))
  const domainRate = hourly('mails to a domain for known devices', shareOf(rates.perProject, knownDomainShare))
  const unsolvedRates = {
    strangers: hourly('mails without a challenge', shareOf(rates.perProject, newDeviceShare * unsolvedShare)),
    caller: hourly('mails of a caller without a challenge', shareOf(rates.perCaller, unsolvedCallerShare)),
    known: hourly('mails for known devices without a challenge', shareOf(rates.perProject, unsolvedShare)),
  }
  /** By project, when its end was last logged. */
  const endings = new Map<string, number>()
  const mailLimits = sharedLimits('mails', 1)
  const tryLimits = sharedLimits('tries', triesPerMail)
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
      const { caller, budget, address, isKnown, challenge } = sending
      const own = [
        coolingOf(sending),
        ...(typeof challenge === 'object' ? [challenge] : []),
        { rate: mailboxRate, who: budget },
        ...(isKnown ? [{ rate: knownMailboxRate, who: address.toLowerCase() }] : []),
      ]
      const takeAs = (known: boolean) => {
        const domain = known ? [{ rate: domainRate, who: `${caller.projectId} ${domainOf(address)}` }] : []
        return limits.take([...own, ...domain, ...mailLimits.of(caller, known), ...unsolvedLimits(sending, known)])
      }
      let taken = await takeAs(isKnown)
      if (!taken.ok && taken.rate === domainRate) taken = await takeAs(false)
      if (taken.ok) return
      const isUnsolved = isUseOfChallenge(taken) || Object.values(unsolvedRates).includes(taken.rate)
      if (isUnsolved) throw walletFailure('CHALLENGE_REQUIRED', isUseOfChallenge(taken) ? undefined : taken.retryAfter)
      noteEnd(taken.rate, caller.projectId)
      throw walletFailure(taken.rate === cooldownRate ? 'EMAIL_COOLDOWN' : 'TOO_MANY_ATTEMPTS', taken.retryAfter)
    },

    async usedBy(caller) {
      return Math.max(...(await Promise.all(mailLimits.of(caller, false).map((taking) => limits.used(taking)))))
    },

    async sendCode({ to, scope, purpose, requester, notMe, sending }) {
      const code = await codes.issue(scope)
      const mail = codeMail({ to, code: code.digits, purpose, requester, notMe, minutes: codeLifetime / 60_000 })
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

  function unsolvedLimits({ caller, challenge }: Sending, isKnown: boolean): readonly Taking[] {
    if (challenge !== 'none') return []
    const { projectId, address } = caller
    if (isKnown) return [{ rate: unsolvedRates.known, who: projectId }]
    return [
      { rate: unsolvedRates.caller, who: `${projectId} ${address}` },
      { rate: unsolvedRates.strangers, who: projectId },
    ]
  }

  /** 6. */
  function noteEnd(rate: Rate, projectId: string): void {
    if (rate !== mailLimits.strangersRate) return
    const at = now()
    if (at - (endings.get(projectId) ?? 0) < hour) return
    endings.set(projectId, at)
    log.warn({ projectId }, 'mail budget used up: only the reserve for known devices is left')
  }

  /** Of callers, their sites, and projects. */
  function sharedLimits(what: string, factor: number) {
    const callerRate = hourly(`${what} of a caller`, rates.perCaller * factor)
    const knownCallerRate = hourly(`${what} of a caller for known devices`, rates.perCaller * factor)
    const siteRate = hourly(`${what} of a site`, rates.perCaller * factor * callersPerSite)
    const knownSiteRate = hourly(
      `${what} of a site for known devices`,
      Math.min(rates.perCaller * factor * callersPerSite, shareOf(rates.perProject * factor, knownSiteShare)),
    )
    const reserveRate = hourly(`${what} of a project for known devices`, rates.perProject * factor)
    const strangersRate = hourly(
      `${what} of a project for new devices`,
      shareOf(rates.perProject * factor, newDeviceShare),
    )
    const of = ({ address, projectId }: Caller, isKnown: boolean): readonly Taking[] => {
      const site = siteOf(address)
      if (isKnown) {
        const ofSite = site === null ? [] : [{ rate: knownSiteRate, who: `${projectId} ${site}` }]
        return [{ rate: knownCallerRate, who: address }, ...ofSite, { rate: reserveRate, who: projectId }]
      }
      return [
        { rate: callerRate, who: address },
        ...(site === null ? [] : [{ rate: siteRate, who: site }]),
        { rate: strangersRate, who: projectId },
      ]
    }
    return { of, strangersRate }
  }
}

/** The last two labels, since an owner of a domain has all names under it. */
function domainOf(address: string): string {
  const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return host.split('.').slice(-2).join('.')
}
