/**
 * The registry of names, in the gateway's database.
 *
 * 1. A name is one address's, the first that claims it; which one that is the database decides, however many claim it at once and at however many replicas.
 * 2. An address has at most {@link mostNames} names, also when it claims many at once.
 * 3. A name does not change hands. Its owner may give it up: from then on it leads nowhere, and is for nobody, its former owner neither, for 90 days; then it is free.
 *    Of who had it, only the address stays with the database.
 * 4. What was looked up is kept for 30 s; what is registered or given up through here shows at once.
 */
import { CaipNetworkId, type NameProfile } from '@postern/protocol'
import { and, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { getAddress, isAddress } from 'viem'
import { names } from '../../db/money-schema'
import type { Database } from '../../db/open'
import { createBatched } from '../batched'
import { createKept } from '../kept'

/** Ethereum's coin type. Source: SLIP-44. */
export const etherCoin = 60
export const mostNames = 5
/** How long a name that was given up is for nobody, milliseconds: who sends by it from memory reaches no stranger soon. */
export const quarantine = 90 * 24 * 60 * 60_000

export type Attributes = { readonly avatar?: string | undefined; readonly bio?: string | undefined }

export type RegisteredName = {
  readonly label: string
  /** In lower case. */
  readonly address: string
  readonly attributes: Attributes
  /** Where the contract is that signed for it; null where a key did. */
  readonly chainId: CaipNetworkId | null
  readonly registeredAt: Date
}

/** What was given up, and from when on it is free. */
export type Resting = { readonly freeFrom: Date }

export type NameRegistry = {
  /** With its dot. */
  readonly suffix: string
  find(label: string): Promise<RegisteredName | null>
  /** The newest first. EVM addresses in lower case. */
  of(address: string): Promise<readonly RegisteredName[]>
  /** Which of them cannot be had: somebody has them, or gave them up lately. */
  taken(labels: readonly string[]): Promise<ReadonlySet<string>>
  add(claim: Omit<RegisteredName, 'registeredAt'>): Promise<RegisteredName | Resting | 'taken' | 'full'>
  /** Since when nobody has it; null where it is not given up, or free again. */
  resting(label: string): Promise<Resting | null>
  /** Null where it is not the address's. */
  release(label: string, address: string): Promise<Resting | null>
}

const keptFor = 30_000
const mostKept = 10_000

/** @param now epoch milliseconds. */
export function createNameRegistry(
  { orm }: Pick<Database, 'orm'>,
  { suffix, now }: { readonly suffix: string; readonly now: () => number },
): NameRegistry {
  const byLabel = createKept<RegisteredName | null>(keptFor, mostKept, now)
  const byAddress = createKept<readonly RegisteredName[]>(keptFor, mostKept, now)

  const isOf = (address: string) =>
    and(eq(names.address, address), eq(names.coinType, etherCoin), isNull(names.releasedAt))
  /** What was given up before it is free again. */
  const longAgo = () => new Date(now() - quarantine)
  const askLabel = createBatched<RegisteredName | null>(async (labels) => {
    const rows = await orm
      .select()
      .from(names)
      .where(and(inArray(names.label, [...labels]), isNull(names.releasedAt)))
    return new Map(rows.map((row) => [row.label, asName(row)]))
  }, null)
  const askAddress = createBatched<readonly RegisteredName[]>(async (addresses) => {
    const rows = await orm
      .select()
      .from(names)
      .where(and(inArray(names.address, [...addresses]), eq(names.coinType, etherCoin), isNull(names.releasedAt)))
      .orderBy(desc(names.registeredAt), desc(names.slot))
    const found = new Map<string, RegisteredName[]>()
    for (const row of rows) found.set(row.address, [...(found.get(row.address) ?? []), asName(row)])
    return found
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
    async taken(labels) {
      if (labels.length === 0) return new Set()
      const rows = await orm
        .select({ label: names.label })
        .from(names)
        .where(and(inArray(names.label, [...labels]), or(isNull(names.releasedAt), gt(names.releasedAt, longAgo()))))
      return new Set(rows.map(({ label }) => label))
    },
    async add({ label, address, attributes, chainId }) {
      await orm.delete(names).where(and(eq(names.label, label), lte(names.releasedAt, longAgo())))
      // One statement that finds a free place and takes it. It comes back empty where the name or the place was taken meanwhile, or there is none.
      for (let attempt = 0; attempt <= mostNames; attempt += 1) {
        const used = orm.select({ slot: names.slot }).from(names).where(isOf(address))
        const free = sql`(select coalesce(min(place), 1) from generate_series(1, ${mostNames}::int) as place where place not in ${used})`
        const isFull = (await orm.$count(names, isOf(address))) >= mostNames
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
            byLabel.get(label, async () => name, true),
            byAddress.get(address, () => askAddress(address), true),
          ])
          return name
        }
        const owner = await byLabel.get(label, () => askLabel(label), true)
        if (owner !== null) return 'taken'
        const rests = await resting(label)
        if (rests !== null) return rests
        if (isFull) return 'full'
      }
      return 'full'
    },
    async release(label, address) {
      const releasedAt = new Date(now())
      const given = await orm
        .update(names)
        .set({ releasedAt, slot: null, attributes: {} })
        .where(and(eq(names.label, label), isOf(address)))
        .returning({ label: names.label })
      await Promise.all([
        byLabel.get(label, () => askLabel(label), true),
        byAddress.get(address, () => askAddress(address), true),
      ])
      return given.length === 0 ? null : { freeFrom: new Date(releasedAt.getTime() + quarantine) }
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

/** As interop §3 tells it. */
export function describeName(
  { label, address, attributes, registeredAt }: RegisteredName,
  suffix: string,
): NameProfile {
  const at = registeredAt.toISOString()
  const { avatar, bio } = attributes
  const told = { ...(avatar === undefined ? {} : { avatar }), ...(bio === undefined ? {} : { bio }) }
  return {
    name: `${label}${suffix}`,
    registered_at: at,
    addresses: { [etherCoin]: { address: isAddress(address) ? getAddress(address) : address, created: at } },
    attributes: Object.keys(told).length === 0 ? [] : [told],
  }
}
