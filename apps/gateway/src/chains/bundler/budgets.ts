/**
 * Daily rates of smart account operations, shared by all replicas.
 *
 * 1. User and project each have a budget per endpoint. A refusal by one uses up nothing of the other.
 * 2. A budget comes back evenly over the day, and can be used up at once.
 */
import type { CaipNetworkId } from '@postern/protocol'
import type { Rate } from '../../platform/limits/limiter'
import type { PostgresLimiter } from '../../platform/limits/postgres'

export type OperationBudgets = {
  readonly bundler: { readonly perUser: number; readonly perProject: number }
  readonly paymaster: {
    readonly perUser: number
    readonly perProject: number
    /** Max cost: all gas limits times `maxFeePerGas`. */
    readonly maxWeiPerOperation?: bigint
    /** Overrides it where currencies have other prices. */
    readonly maxWeiByNetwork?: ReadonlyMap<CaipNetworkId, bigint>
  }
}

/** 0.05 of a currency with 18 decimals. */
export const defaultMaxWeiPerOperation = 50_000_000_000_000_000n

type Endpoint = keyof OperationBudgets

export type Budgets = {
  /** Null within both budgets. `retryAfter` in s. */
  take(
    endpoint: Endpoint,
    who: { readonly userId: string; readonly projectId: string },
  ): Promise<{ readonly text: string; readonly retryAfter: number } | null>
}

const dayMs = 86_400_000

const texts = {
  bundler: {
    user: 'The daily limit of smart account operations of this user is reached',
    project: 'The daily limit of smart account operations of this project is reached',
  },
  paymaster: {
    user: 'The daily limit of sponsored operations of this user is reached',
    project: 'The daily limit of sponsored operations of this project is reached',
  },
} as const

export function createBudgets(limits: Pick<PostgresLimiter, 'take'>, budgets: OperationBudgets): Budgets {
  const ratesOf = (endpoint: Endpoint) => ({
    user: daily(`${endpoint} calls of a user`, budgets[endpoint].perUser),
    project: daily(`${endpoint} calls of a project`, budgets[endpoint].perProject),
  })
  const rates = { bundler: ratesOf('bundler'), paymaster: ratesOf('paymaster') }

  return {
    async take(endpoint, { userId, projectId }) {
      const { user, project } = rates[endpoint]
      const taken = await limits.take([
        // Per project, so that one dapp cannot use it up for the others.
        { rate: user, who: `${projectId} ${userId}` },
        { rate: project, who: projectId },
      ])
      if (taken.ok) return null
      return { text: texts[endpoint][taken.rate === user ? 'user' : 'project'], retryAfter: taken.retryAfter }
    },
  }
}

function daily(name: string, count: number): Rate {
  return { name, burst: count, every: Math.ceil(dayMs / count) }
}
