/**
 * The registry of names, in the gateway's database.
 *
 * 1. A name belongs to the first address that claims it, over all replicas.
 * 2. An address has at most {@link maxNames} names, also when it claims many at once.
 * 3. Names cannot be transferred. A released name resolves to nothing and is blocked for {@link quarantine}; only its
 *    former owner's address is kept.
 * 4. Lookups are cached for 30 s; changes on this replica show at once.
 */
import { CaipNetworkId, type NameProfile } from '@postern/protocol'
import { and, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { getAddress, isAddress } from 'viem'
import { names } from '../../../platform/db/money-schema'
import type { Database } from '../../../platform/db/open'
import { createBatchLoader } from '../batch-loader'
import { createTtlCache } from '../ttl-cache'

/** Ethereum's coin type (SLIP-44). */
export const etherCoin = 60
export const maxNames = 5
/** In ms; keeps senders who know the name from paying a stranger. */
export const quarantine = 90 * 24 * 60 * 60_000

export type Attributes = { readonly avatar?: string | undefined; readonly bio?: string | undefined }

export type RegisteredName = {
  readonly label: string
  /** In lower case. */
  readonly address: string
  readonly attributes: Attributes
  /** Of the contract that signed; null: a key signed. */
  readonly chainId: CaipNetworkId | null
  readonly registeredAt: Date
}

export type Resting = { readonly freeFrom: Date }

export type NameRegistry = {
  /** With its dot. */
  readonly suffix: string
  find(label: string): Promise<RegisteredName | null>
  /** Newest first. EVM addresses in lower case. */
  of(address: string): Promise<readonly RegisteredName[]>
  unavailable(labels: readonly string[]): Promise<ReadonlySet<string>>
  add(claim: Omit<RegisteredName, 'registeredAt'>): Promise<RegisteredName | Resting | 'taken' | 'full'>
  resting(label: string): Promise<Resting | null>
  /** Null if the address does not own the name. */
  release(label: string, address: string): Promise<Resting | null>
}

const lifetimeMs = 30_000
const maxCached = 10_000

/** @param now epoch ms. */
export function createNameRegistry(
  { orm }: Pick<Database, 'orm'>,
  { suffix, now }: { readonly suffix: string; readonly now: () => number },
): NameRegistry {
  const byLabel = createTtlCache<RegisteredName | null>(lifetimeMs, maxCached, now)
  const byAddress = createTtlCache<readonly RegisteredName[]>(lifetimeMs, maxCached, now)

  const isOf = (address: string) =>
    and(eq(names.address, address), eq(names.coinType, etherCoin), isNull(names.releasedAt))
  const longAgo = () => new Date(now() - quarantine)
  const askLabel = createBatchLoader<RegisteredName | null>(async (labels) => {
    const rows = await orm
      .select()
      .from(names)
      .where(and(inArray(names.label, [...labels]), isNull(names.releasedAt)))
    return new Map(rows.map((row) => [row.label, asName(row)]))
  }, null)
  const askAddress = createBatchLoader<readonly RegisteredName[]>(async (addresses) => {
    const rows = await orm
      .select()
      .from(names)
      .where(and(inArray(names.address, [...addresses]), eq(names.coinType, etherCoin), isNull(names.releasedAt)))
      .orderBy(desc(names.registeredAt), desc(names.slot))
    const namesByAddress = new Map<string, RegisteredName[]>()
    for (const row of rows) namesByAddress.set(row.address, [...(namesByAddress.get(row.address) ?? []), asName(row)])
    return namesByAddress
  }, [])

  async function resting(label: string): Promise<Resting | null> {
    const [row] = await orm
      .select({ releasedAt: names.releasedAt })
      .from(names)
      .where(and(eq(names.label, label), gt(names.releasedAt, longAgo())))
    return row?.releasedAt == null ? null : { freeFrom: new Date(row.releasedAt.getTime() + quarantine) }
  }

  return {
    suffix,
    resting,
    find: (label) => byLabel.get(label, () => askLabel(label)),
    of: (address) => byAddress.get(address, () => askAddress(address)),
    async unavailable(labels) {
      if (labels.length === 0) return new Set()
      const rows = await orm
        .select({ label: names.label })
        .from(names)
        .where(and(inArray(names.label, [...labels]), or(isNull(names.releasedAt), gt(names.releasedAt, longAgo()))))
      return new Set(rows.map(({ label }) => label))
    },
    async add({ label, address, attributes, chainId }) {
      await orm.delete(names).where(and(eq(names.label, label), lte(names.releasedAt, longAgo())))
      // Takes a free slot in one statement, which returns no row if the name or slot was just taken.
      for (let attempt = 0; attempt <= maxNames; attempt += 1) {
        const used = orm.select({ slot: names.slot }).from(names).where(isOf(address))
        const free = sql`(select coalesce(min(place), 1) from generate_series(1, ${maxNames}::int) as place where place not in ${used})`
        const isFull = (await orm.$count(names, isOf(address))) >= maxNames
        const [row] = isFull
          ? []
          : await orm
              .insert(names)
              .values({
                ...{ label, address, attributes, chainId, coinType: etherCoin },
                ...{ slot: free, registeredAt: new Date(now()) },
              })
              .onConflictDoNothing()
              .returning()
        if (row !== undefined) {
          const name = asName(row)
          await Promise.all([
            byLabel.refresh(label, async () => name),
            byAddress.refresh(address, () => askAddress(address)),
          ])
          return name
        }
        const owner = await byLabel.refresh(label, () => askLabel(label))
        if (owner !== null) return 'taken'
        const rests = await resting(label)
        if (rests !== null) return rests
        if (isFull) return 'full'
      }
      return 'full'
    },
    async release(label, address) {
      const releasedAt = new Date(now())
      const released = await orm
        .update(names)
        .set({ releasedAt, slot: null, attributes: {} })
        .where(and(eq(names.label, label), isOf(address)))
        .returning({ label: names.label })
      await Promise.all([
        byLabel.refresh(label, () => askLabel(label)),
        byAddress.refresh(address, () => askAddress(address)),
      ])
      return released.length === 0 ? null : { freeFrom: new Date(releasedAt.getTime() + quarantine) }
    },
  }
}

function asName(row: typeof names.$inferSelect): RegisteredName {
  const { label, address, registeredAt } = row
  const chainId = CaipNetworkId.safeParse(row.chainId).data ?? null
  return { label, address, chainId, attributes: readAttributes(row.attributes), registeredAt }
}

function readAttributes(value: unknown): Attributes {
  return typeof value === 'object' && value !== null ? value : {}
}

export function describeName(
  { label, address, attributes, registeredAt }: RegisteredName,
  suffix: string,
): NameProfile {
  const at = registeredAt.toISOString()
  const { avatar, bio } = attributes
  const shown = { ...(avatar === undefined ? {} : { avatar }), ...(bio === undefined ? {} : { bio }) }
  return {
    name: `${label}${suffix}`,
    registered_at: at,
    addresses: { [etherCoin]: { address: isAddress(address) ? getAddress(address) : address, created: at } },
    attributes: Object.keys(shown).length === 0 ? [] : [shown],
  }
}
