import type { Account } from '@postern/protocol'
import * as z from 'zod/mini'
import type { DescribedAddress, SessionAddresses } from '../walletconnect/dialects/dialect'

const Address = z.string().check(z.maxLength(90), z.regex(/^[a-zA-Z0-9]{14,90}$/))
const Entry = z.union([
  Address,
  z.object({
    address: Address,
    publicKey: z.optional(z.unknown()),
    path: z.optional(z.unknown()),
    intention: z.optional(z.unknown()),
    purpose: z.optional(z.unknown()),
  }),
])
const Entries = z.array(Entry).check(z.maxLength(512))
const ByPurpose = z.object({
  payment: z.optional(Entries),
  ordinal: z.optional(Entries),
  ordinals: z.optional(Entries),
})

/** Strings, objects with an `intention`, or a list per purpose; else empty. See `walletconnect.ts` for the source. */
export function readAddresses(value: unknown): readonly DescribedAddress[] {
  const list = Entries.safeParse(value)
  if (list.success) return list.data.map((entry) => toDescribed(entry))
  const sorted = ByPurpose.safeParse(value)
  if (!sorted.success) return []
  const { payment = [], ordinal = [], ordinals = [] } = sorted.data
  return [
    ...payment.map((entry) => toDescribed(entry, 'payment')),
    ...[...ordinal, ...ordinals].map((entry) => toDescribed(entry, 'ordinals')),
  ]
}

/** From session properties, where they are a JSON string. */
export function describedAddresses(properties: unknown): readonly DescribedAddress[] {
  const parsed = z.object({ bip122_getAccountAddresses: z.string().check(z.maxLength(65_536)) }).safeParse(properties)
  if (!parsed.success) return []
  try {
    return readAddresses(JSON.parse(parsed.data.bip122_getAccountAddresses))
  } catch {
    return []
  }
}

function toDescribed(entry: z.infer<typeof Entry>, listed?: 'payment' | 'ordinals'): DescribedAddress {
  if (typeof entry === 'string') return { address: entry, purpose: listed }
  const { address, publicKey, path, intention, purpose } = entry
  return {
    address,
    publicKey: textOf(publicKey, /^[0-9a-f]{64,66}$/i),
    path: textOf(path, /^[mM0-9'hH/]{1,64}$/),
    purpose: listed ?? purposeOf(intention) ?? purposeOf(purpose),
  }
}

function textOf(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined
}

function purposeOf(value: unknown): 'payment' | 'ordinals' | undefined {
  if (value === 'payment') return 'payment'
  return value === 'ordinal' || value === 'ordinals' ? 'ordinals' : undefined
}

/**
 * The granted addresses with their purposes, payment first.
 *
 * 1. The wallet's own purpose decides. By default a taproot address next to another type is for ordinals: otherwise
 *    ordinals could be spent as money.
 * 2. An announced ordinals address on the same network is added even if the session lists only payment addresses.
 */
export function withPurposes(addresses: readonly string[], described: readonly DescribedAddress[]): readonly Account[] {
  const byAddress = new Map(described.map((entry) => [entry.address, entry]))
  const heads = new Set(addresses.map(headOf))
  const extra = described.filter(
    ({ address, purpose }) => purpose === 'ordinals' && !addresses.includes(address) && heads.has(headOf(address)),
  )
  const all = [...addresses, ...extra.slice(0, 1).map(({ address }) => address)]
  const mixed = all.some(isTaproot) && !all.every(isTaproot)
  const accounts = all.map((address): Account => {
    const { publicKey, path, purpose } = byAddress.get(address) ?? {}
    return {
      namespace: 'bip122',
      address,
      type: purpose ?? (mixed && isTaproot(address) ? 'ordinals' : 'payment'),
      ...(publicKey !== undefined && { publicKey }),
      ...(path !== undefined && { path }),
    }
  })
  return [...accounts.filter(({ type }) => type === 'payment'), ...accounts.filter(({ type }) => type !== 'payment')]
}

/** The network prefix of a segwit address. */
function headOf(address: string): string | undefined {
  return /^(bc|tb|bcrt)1/i.exec(address)?.[1]?.toLowerCase()
}

function isTaproot(address: string): boolean {
  return /^(bc|tb|bcrt)1p/i.test(address)
}

/** A Bitcoin account is on its own network alone: payments to another would go elsewhere. */
export const bitcoinAddresses: SessionAddresses = {
  areShared: false,
  read: readAddresses,
  describedIn: describedAddresses,
  async accountsOn(networkId, addresses, described) {
    const { isAddressTextOn } = await import('@postern/chains/bip122/accounts')
    const isHere = (address: string) => isAddressTextOn(address, networkId)
    return withPurposes(
      addresses.filter(isHere),
      described.filter(({ address }) => isHere(address)),
    )
  },
}
