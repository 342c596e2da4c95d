/**
 * Proof of work (as in ALTCHA) before a stranger's email or sign-in: the number whose hash with `salt` is `target`.
 *
 * 1. A challenge is signed for its project and the hash of address or device. Nothing is stored.
 * 2. It is used once, together with the action's own limits: if these refuse, the solution stays valid.
 * 3. Its difficulty follows the used budget: a fraction of a second on a desktop, up to two seconds on a phone.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type EmailChallenge, type EmailSolution, maxChallengeTries, minChallengeTries } from '@postern/protocol'
import type { Rate, Taking } from '../../platform/limits/limiter'
import { isSameSecret } from '../../platform/secrets/secrets'

export const challengeLifetimeMs = 5 * 60_000

const useRate: Rate = { name: 'uses of a challenge', burst: 1, every: challengeLifetimeMs }

export type Bound = { readonly projectId: string; readonly subjectHash: string }

export type Challenges = {
  /** @param used part of the budget, 0 to 1. */
  issue(bound: Bound, used: number): EmailChallenge
  /** Null if wrong, expired, forged or bound to something else. */
  read(solution: EmailSolution, bound: Bound): Taking | null
}

export function createChallenges({
  hash,
  now,
  pickNumber = randomInt,
}: {
  /** Keyed. */
  readonly hash: (text: string) => string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** From 0 to `end - 1`. */
  readonly pickNumber?: ((end: number) => number) | undefined
}): Challenges {
  const sign = (
    { salt, target, max, expiresAt }: Omit<EmailChallenge, 'signature'>,
    { projectId, subjectHash }: Bound,
  ) => hash(`challenge ${salt} ${target} ${max} ${expiresAt} ${projectId} ${subjectHash}`)

  return {
    issue(bound, used) {
      const part = Math.min(1, Math.max(0, used))
      const max = Math.round(minChallengeTries + part * (maxChallengeTries - minChallengeTries))
      const salt = randomBytes(16).toString('base64url')
      const target = targetOf(salt, pickNumber(max + 1))
      const challenge = { salt, target, max, expiresAt: now() + challengeLifetimeMs }
      return { ...challenge, signature: sign(challenge, bound) }
    },
    read(solution, bound) {
      const { salt, target, number, expiresAt, signature } = solution
      if (expiresAt <= now() || !isSameSecret(signature, sign(solution, bound)) || targetOf(salt, number) !== target)
        return null
      return { rate: useRate, who: salt }
    },
  }
}

export const isUseOfChallenge = ({ rate }: Pick<Taking, 'rate'>): boolean => rate === useRate

function targetOf(salt: string, number: number): string {
  return createHash('sha256').update(`${salt}${number}`).digest('hex')
}
