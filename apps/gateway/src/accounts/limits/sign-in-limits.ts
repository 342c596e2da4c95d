/**
 * Limits of begun sign-ins at a provider. For email see `mailing.ts`.
 *
 * 1. Each way has the limits of `caller-limits.ts`; above half of a project's limit, a sign-in needs a solved
 *    challenge.
 * 2. A device is known if a user has signed in on it. A user's devices share a limit: one account cannot use up the
 *    reserve.
 */
import type { EmailChallenge, EmailSolution } from '@postern/protocol'
import { and, eq, isNull } from 'drizzle-orm'
import type { Orm } from '../../platform/db/open'
import { devices } from '../../platform/db/schema'
import type { Rate } from '../../platform/limits/limiter'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import { hashSecret } from '../../platform/secrets/secrets'
import type { Challenges } from '../codes/challenges'
import { type Caller, createCallerLimits } from './caller-limits'

export type SignInWay = 'social' | 'farcaster'

export type SignInLimits = {
  /** @throws {Problem} TOO_MANY_ATTEMPTS, CHALLENGE_REQUIRED */
  take(
    way: SignInWay,
    begun: { readonly caller: Caller; readonly deviceToken: string; readonly solution?: EmailSolution | undefined },
  ): Promise<void>
  challenge(deviceToken: string, caller: Caller): Promise<EmailChallenge>
}

const defaultAmounts = {
  caller: { burst: 60, every: 30_000 },
  project: { burst: 3_000, every: 1_000 },
  // Sends nothing to an owner: only the project's limit asks for work.
  unsolvedCallerShare: 1,
}
const knownUserRate: Rate = { name: 'sign-ins at providers of a known user', burst: 30, every: 100_000 }

export function createSignInLimits({
  orm,
  limits,
  challenges,
  amounts = defaultAmounts,
}: {
  readonly orm: Orm
  readonly limits: Pick<PostgresLimiter, 'take' | 'used'>
  readonly challenges: Challenges
  readonly amounts?: Parameters<typeof createCallerLimits>[1]
}): SignInLimits {
  const ways = {
    social: createCallerLimits('social sign-ins', amounts),
    farcaster: createCallerLimits('farcaster sign-ins', amounts),
  }
  const boundOf = (deviceToken: string, { projectId }: Caller) => ({ projectId, subjectHash: hashSecret(deviceToken) })

  async function userOf(deviceToken: string): Promise<string | null> {
    const [row] = await orm
      .select({ userId: devices.userId })
      .from(devices)
      .where(and(eq(devices.tokenHash, hashSecret(deviceToken)), isNull(devices.revokedAt)))
      .limit(1)
    return row?.userId ?? null
  }

  return {
    async take(way, { caller, deviceToken, solution }) {
      const of = ways[way]
      const user = await userOf(deviceToken)
      const isKnown = user !== null
      const use = solution === undefined ? null : challenges.read(solution, boundOf(deviceToken, caller))
      const taken = await limits.take([
        ...(use === null ? [] : [use]),
        ...(isKnown ? [{ rate: knownUserRate, who: user }] : []),
        ...of.of(caller, isKnown),
        ...(use === null ? of.unsolved(caller, isKnown) : []),
      ])
      if (!taken.ok) of.refuse(taken)
    },

    async challenge(deviceToken, caller) {
      const shared = Object.values(ways).flatMap((way) => way.of(caller, false))
      const used = Math.max(...(await Promise.all(shared.map((taking) => limits.used(taking)))))
      return challenges.issue(boundOf(deviceToken, caller), used)
    },
  }
}
