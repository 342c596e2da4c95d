/**
 * Social and Farcaster sign-ins in progress.
 *
 * 1. One secret identifies a flow, a second one (`claim`) claims it.
 * 2. Status only advances: open → started → exchanging → arrived → claimed, or failed. Of concurrent calls, one wins.
 * 3. The result is claimed once, with the callback page's ticket or its six digits, never with `claim` alone.
 * 4. Five wrong tickets or codes end the flow. Digits have a limit per provider account too: a page cannot guess more
 *    with more flows.
 * 5. The stored row alone opens nothing: secrets are hashed, the rest is sealed.
 */
import { randomInt } from 'node:crypto'
import { socialProviders, type WalletApiFailure, walletApiFailures } from '@postern/protocol'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Database } from '../../platform/db/open'
import { sweepRows } from '../../platform/db/sweep'
import { socialFlows } from '../../platform/db/wallet-schema'
import type { Rate } from '../../platform/limits/limiter'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import { hashSecret, isSameSecret, newSecret, type Secrets } from '../../platform/secrets/secrets'
import { confirmationTries } from '../sessions/sessions'

export const flowLifetime = 10 * 60_000
const maxTries = 5
const digitTries: Rate = { ...confirmationTries, name: 'tries at digits of an account' }
/** In ms; a late claim still learns the reason. */
const retentionAfterEndMs = 60 * 60_000

export type FlowProvider = z.infer<typeof Row>['provider']
export type FlowRow = z.infer<typeof Row>

const Row = z.object({
  id: z.string(),
  projectId: z.string(),
  provider: z.enum([...socialProviders, 'farcaster']),
  origin: z.string(),
  status: z.enum(['open', 'started', 'exchanging', 'arrived', 'failed', 'claimed']),
  failure: z.nullable(z.enum(walletApiFailures)),
  claimHash: z.string(),
  stateHash: z.nullable(z.string()),
  cookieHash: z.nullable(z.string()),
  ticketHash: z.nullable(z.string()),
  codeHash: z.nullable(z.string()),
  sealed: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
})

/** Sealed while the user is at the provider. */
const ProviderStash = z.object({
  deviceToken: z.string(),
  state: z.string(),
  codeVerifier: z.string(),
  nonce: z.string(),
})
export type ProviderStash = z.infer<typeof ProviderStash>

/** Sealed while a Farcaster channel is pending. */
const Channel = z.object({ deviceToken: z.string(), channelToken: z.string(), nonce: z.string() })
export type Channel = z.infer<typeof Channel>

/** Sealed after sign-in at the provider. */
const Arrived = z.object({
  deviceToken: z.string(),
  identity: z.object({
    subject: z.string(),
    email: z.nullable(z.string()),
    userName: z.nullable(z.string()),
  }),
})
export type Arrived = z.infer<typeof Arrived>

export type Claim =
  | { readonly kind: 'pending' }
  /** The claim needs the digits of the callback page. */
  | { readonly kind: 'code' }
  | { readonly kind: 'failed'; readonly failure: WalletApiFailure; readonly retryAfter?: number }
  | { readonly kind: 'taken'; readonly row: FlowRow; readonly arrived: Arrived }

export type Flows = {
  /** @returns the flow's secret. */
  open(flow: {
    readonly projectId: string
    readonly provider: FlowProvider
    readonly origin: string
    readonly claim: string
    readonly stash: ProviderStash | Channel
  }): Promise<string>
  /** Null if unknown or expired. */
  find(flow: string): Promise<FlowRow | null>
  byState(state: string): Promise<FlowRow | null>
  providerStash(row: FlowRow): ProviderStash
  channel(row: FlowRow): Channel
  /** The cookie's secret, for the first browser that opens the link; null for others. */
  start(row: FlowRow, cookie: string | undefined): Promise<string | null>
  isOf(row: FlowRow, cookie: string): boolean
  /** True for only one of several callbacks. */
  beginExchange(row: FlowRow): Promise<boolean>
  arrive(row: FlowRow, arrived: Arrived): Promise<string>
  fail(row: FlowRow, failure: WalletApiFailure): Promise<void>
  /** Null for a wrong ticket. */
  showCode(flow: string, ticket: string): Promise<string | null>
  /** Never throws. */
  claim(request: {
    readonly flow: string
    readonly claim: string
    readonly ticket?: string | undefined
    readonly code?: string | undefined
  }): Promise<Claim>
  /** False if another call claimed the Farcaster flow. */
  takeChannel(row: FlowRow): Promise<boolean>
}

export type FlowsOptions = {
  readonly database: Pick<Database, 'orm'>
  readonly secrets: Pick<Secrets, 'flows' | 'hashCode'>
  readonly limits: Pick<PostgresLimiter, 'take'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createFlows({ database, secrets, limits, now }: FlowsOptions): Flows {
  const { orm } = database
  const contextOf = (id: string) => `flow|${id}`
  const seal = (id: string, value: object) => secrets.flows.seal(JSON.stringify(value), contextOf(id))
  const unseal = (row: FlowRow): unknown => JSON.parse(secrets.flows.open(row.sealed, contextOf(row.id)))
  const hashCode = (id: string, code: string) => secrets.hashCode(`social|${id}|${code}`)

  return {
    async open({ projectId, provider, origin, claim, stash }) {
      await sweepRows(orm, socialFlows, lt(socialFlows.expiresAt, new Date(now() - retentionAfterEndMs)))
      const flow = newSecret()
      const id = hashSecret(flow)
      await orm.insert(socialFlows).values({
        id,
        projectId,
        provider,
        origin,
        status: provider === 'farcaster' ? 'started' : 'open',
        claimHash: hashSecret(claim),
        stateHash: 'state' in stash ? hashSecret(stash.state) : null,
        sealed: seal(id, stash),
        createdAt: new Date(now()),
        expiresAt: new Date(now() + flowLifetime),
      })
      return flow
    },

    find: (flow) => read(eq(socialFlows.id, hashSecret(flow))),
    byState: (state) => read(eq(socialFlows.stateHash, hashSecret(state))),

    providerStash: (row) => ProviderStash.parse(unseal(row)),
    channel: (row) => Channel.parse(unseal(row)),

    async start(row, cookie) {
      if (row.status === 'started') return cookie !== undefined && isSame(row.cookieHash, cookie) ? cookie : null
      const secret = newSecret()
      return (await move(row, ['open'], { status: 'started', cookieHash: hashSecret(secret) })) ? secret : null
    },

    isOf: (row, cookie) => isSame(row.cookieHash, cookie),
    beginExchange: (row) => move(row, ['started'], { status: 'exchanging' }),

    async arrive(row, arrived) {
      const ticket = newSecret()
      await move(row, ['exchanging'], {
        status: 'arrived',
        ticketHash: hashSecret(ticket),
        sealed: seal(row.id, arrived),
      })
      return ticket
    },

    async fail(row, failure) {
      await move(row, ['open', 'started', 'exchanging', 'arrived'], { status: 'failed', failure })
    },

    async showCode(flow, ticket) {
      const id = hashSecret(flow)
      const code = randomInt(1_000_000).toString().padStart(6, '0')
      const rows = await orm
        .update(socialFlows)
        .set({ ticketHash: null, codeHash: hashCode(id, code) })
        .where(
          and(
            eq(socialFlows.id, id),
            eq(socialFlows.ticketHash, hashSecret(ticket)),
            eq(socialFlows.status, 'arrived'),
          ),
        )
        .returning({ id: socialFlows.id })
      return rows.length > 0 ? code : null
    },

    async claim({ flow, claim, ticket, code }) {
      const row = await readAny(eq(socialFlows.id, hashSecret(flow)))
      // Hides whether the flow exists.
      if (row === null || !isSame(row.claimHash, claim)) return failed('STATE_MISMATCH')
      if (row.status === 'failed') return failed(row.failure ?? 'PROVIDER_FAILED')
      if (row.status === 'claimed') return failed('CODE_SPENT')
      if (isOver(row)) return failed('CODE_EXPIRED')
      if (row.status !== 'arrived') return { kind: 'pending' }
      if (ticket === undefined && code === undefined) return { kind: row.codeHash === null ? 'pending' : 'code' }
      if (!(await takeTry(row))) {
        await move(row, ['arrived'], { status: 'failed', failure: 'TOO_MANY_ATTEMPTS' })
        return failed('TOO_MANY_ATTEMPTS')
      }
      const arrived = Arrived.parse(unseal(row))
      if (code !== undefined) {
        const who = `${row.provider} ${arrived.identity.subject}`
        const taken = await limits.take([{ rate: digitTries, who }])
        if (!taken.ok) return failed('TOO_MANY_ATTEMPTS', taken.retryAfter)
      }
      const byTicket = ticket !== undefined && isSame(row.ticketHash, ticket)
      const byCode = code !== undefined && row.codeHash !== null && isSameSecret(row.codeHash, hashCode(row.id, code))
      if (!byTicket && !byCode) return failed(code === undefined ? 'STATE_MISMATCH' : 'WRONG_CODE')
      if (!(await move(row, ['arrived'], { status: 'claimed' }))) return failed('CODE_SPENT')
      return { kind: 'taken', row, arrived }
    },

    takeChannel: (row) => move(row, ['started'], { status: 'claimed' }),
  }

  async function readAny(where: ReturnType<typeof eq>): Promise<FlowRow | null> {
    const [row] = await orm.select().from(socialFlows).where(where).limit(1)
    return row === undefined ? null : Row.parse(row)
  }

  async function read(where: ReturnType<typeof eq>): Promise<FlowRow | null> {
    const row = await readAny(where)
    return row === null || isOver(row) ? null : row
  }

  function isOver(row: FlowRow): boolean {
    return row.expiresAt.getTime() <= now()
  }

  async function move(
    row: FlowRow,
    from: readonly FlowRow['status'][],
    to: Partial<typeof socialFlows.$inferInsert>,
  ): Promise<boolean> {
    const rows = await orm
      .update(socialFlows)
      .set(to)
      .where(and(eq(socialFlows.id, row.id), inArray(socialFlows.status, [...from])))
      .returning({ id: socialFlows.id })
    return rows.length > 0
  }

  async function takeTry(row: FlowRow): Promise<boolean> {
    const rows = await orm
      .update(socialFlows)
      .set({ tries: sql`${socialFlows.tries} + 1` })
      .where(and(eq(socialFlows.id, row.id), lt(socialFlows.tries, maxTries)))
      .returning({ id: socialFlows.id })
    return rows.length > 0
  }
}

function failed(failure: WalletApiFailure, retryAfter?: number): Claim {
  return { kind: 'failed', failure, ...(retryAfter !== undefined && { retryAfter }) }
}

function isSame(hash: string | null, secret: string): boolean {
  return hash !== null && isSameSecret(hash, hashSecret(secret))
}
