/**
 * Limits of begun sign-ins at a provider. For email see `mailing.ts`.
 *
 * 1. Each way has the limits of `caller-limits.ts`; above half of a project's limit, a sign-in needs a solved
 *    challenge.
 * 2. A device is known if a user has signed in on it. A user's devices share a limit: one account cannot use up the
 *    reserve. A device of several users takes from each one's limit, so another account on it adds nothing. A device of
 *    more than {@link maxUsersOfDevice} users counts as new.
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
/** Each is a statement. */
const maxUsersOfDevice = 10
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

  /** In a fixed order: concurrent takings that lock the same rows must not deadlock. */
  async function usersOf(deviceToken: string): Promise<readonly string[]> {
    const rows = await orm
      .select({ userId: devices.userId })
      .from(devices)
      .where(and(eq(devices.tokenHash, hashSecret(deviceToken)), isNull(devices.revokedAt)))
      .orderBy(devices.userId)
      .limit(maxUsersOfDevice + 1)
    return rows.length > maxUsersOfDevice ? [] : rows.map(({ userId }) => userId)
  }

  return {
    async take(way, { caller, deviceToken, solution }) {
      const of = ways[way]
      const users = await usersOf(deviceToken)
      const isKnown = users.length > 0
      const use = solution === undefined ? null : challenges.read(solution, boundOf(deviceToken, caller))
      const taken = await limits.take([
        ...(use === null ? [] : [use]),
        ...users.map((who) => ({ rate: knownUserRate, who })),
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
