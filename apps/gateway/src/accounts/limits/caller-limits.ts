/**
 * Limits of an action by caller, network and project, the same for all ways to sign in.
 *
 * 1. An action takes from its caller (an IPv6 /64), the /48 ({@link callersPerSite} times as much) and the project.
 * 2. Strangers cannot lock out known devices, which have their own limits and a reserve as large as the project's
 *    limit. A /48 can use a sixth of it.
 * 3. Without a solved challenge, new devices have a part of each limit, known devices half of the reserve.
 */
import { siteOf } from '../../platform/http/client-address'
import { walletFailure } from '../../platform/http/wallet-calls'
import type { Rate, Taken, Taking } from '../../platform/limits/limiter'
import { callersPerSite } from '../../projects/caller-limit'
import { isUseOfChallenge } from '../codes/challenges'

export type Caller = {
  readonly projectId: string
  /** For limits only. */
  readonly address: string
}

type Amount = Omit<Rate, 'name'>

export type CallerLimits = {
  /** Narrowest first. */
  of(caller: Caller, isKnown: boolean): readonly Taking[]
  /** Further takings without a solved challenge. */
  unsolved(caller: Caller, isKnown: boolean): readonly Taking[]
  readonly strangersRate: Rate
  /** @throws {Problem} CHALLENGE_REQUIRED if only a solution was missing, else TOO_MANY_ATTEMPTS. */
  refuse(taken: Extract<Taken, { ok: false }>): never
}

const hourMs = 3_600_000
/** New devices' part of a project's limit. */
const defaultNewDeviceShare = 2 / 3
/** A /48's part of the reserve. */
const knownSiteShare = 1 / 6
/** The part of a project's limit that needs no challenge. */
const unsolvedShare = 1 / 2

export const hourly = (count: number): Amount => ({ burst: count, every: Math.ceil(hourMs / count) })

/** Refills in the same time. */
export function shareOf({ burst, every }: Amount, share: number): Amount {
  const part = Math.max(1, Math.floor(burst * share))
  return { burst: part, every: Math.ceil((every * burst) / part) }
}

/** @param what distinct by kind, such as `mails`. */
export function createCallerLimits(
  what: string,
  amounts: {
    readonly caller: Amount
    readonly project: Amount
    readonly unsolvedCallerShare: number
    readonly newDeviceShare?: number
  },
): CallerLimits {
  const { caller: callers, project, unsolvedCallerShare, newDeviceShare = defaultNewDeviceShare } = amounts
  const site = shareOf(callers, callersPerSite)
  const knownSite = shareOf(project, knownSiteShare)
  const rates = {
    caller: { name: `${what} of a caller`, ...callers },
    knownCaller: { name: `${what} of a caller for known devices`, ...callers },
    site: { name: `${what} of a site`, ...site },
    knownSite: { name: `${what} of a site for known devices`, ...(site.burst < knownSite.burst ? site : knownSite) },
    reserve: { name: `${what} of a project for known devices`, ...project },
    strangers: { name: `${what} of a project for new devices`, ...shareOf(project, newDeviceShare) },
  }
  const unsolvedRates = {
    caller: { name: `${what} of a caller without a challenge`, ...shareOf(callers, unsolvedCallerShare) },
    site: { name: `${what} of a site without a challenge`, ...shareOf(site, unsolvedCallerShare) },
    strangers: { name: `${what} without a challenge`, ...shareOf(project, newDeviceShare * unsolvedShare) },
    known: { name: `${what} for known devices without a challenge`, ...shareOf(project, unsolvedShare) },
  }

  return {
    strangersRate: rates.strangers,

    of({ address, projectId }, isKnown) {
      const network = siteOf(address)
      const bySite = (rate: Rate, who: string) => (network === null ? [] : [{ rate, who }])
      return isKnown
        ? [
            { rate: rates.knownCaller, who: address },
            ...bySite(rates.knownSite, `${projectId} ${network}`),
            { rate: rates.reserve, who: projectId },
          ]
        : [
            { rate: rates.caller, who: address },
            ...bySite(rates.site, `${network}`),
            { rate: rates.strangers, who: projectId },
          ]
    },

    unsolved({ address, projectId }, isKnown) {
      if (isKnown) return [{ rate: unsolvedRates.known, who: projectId }]
      const network = siteOf(address)
      return [
        { rate: unsolvedRates.caller, who: `${projectId} ${address}` },
        ...(network === null ? [] : [{ rate: unsolvedRates.site, who: `${projectId} ${network}` }]),
        { rate: unsolvedRates.strangers, who: projectId },
      ]
    },

    refuse(taken) {
      if (isUseOfChallenge(taken)) throw walletFailure('CHALLENGE_REQUIRED')
      const isUnsolved = Object.values(unsolvedRates).some((rate) => rate === taken.rate)
      throw walletFailure(isUnsolved ? 'CHALLENGE_REQUIRED' : 'TOO_MANY_ATTEMPTS', taken.retryAfter)
    },
  }
}
