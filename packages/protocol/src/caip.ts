/**
 * Chain-agnostic identifiers: CAIP-2 networks (`eip155:1`), CAIP-10 accounts (`eip155:1:0xab…`) and the address rules of each namespace.
 */
import * as z from 'zod/mini'

/** The chain namespaces that Postern speaks, in the order in which they are shown. */
export const namespaces = ['eip155', 'solana', 'bip122'] as const
export type Namespace = (typeof namespaces)[number]
export const Namespace = z.enum(namespaces)

/** `namespace:reference`, for instance `eip155:8453`. Source: CAIP-2. */
export type CaipNetworkId = `${Namespace}:${string}`

/** `namespace:reference:address`, for instance `eip155:1:0xab…`. Source: CAIP-10. */
export type CaipAddress = `${Namespace}:${string}:${string}`

const referencePattern = /^[-_a-zA-Z0-9]{1,32}$/
const eip155ReferencePattern = /^(0|[1-9][0-9]{0,15})$/

export const CaipNetworkId = z.custom<CaipNetworkId>(isCaipNetworkId, 'Invalid input')
export const CaipAddress = z.custom<CaipAddress>(isCaipAddress, 'Invalid CAIP Address')

function isNamespace(value: string | undefined): value is Namespace {
  return namespaces.some((namespace) => namespace === value)
}

export function isCaipNetworkId(value: unknown): value is CaipNetworkId {
  if (typeof value !== 'string') return false
  const [namespace, reference, ...rest] = value.split(':')
  if (!isNamespace(namespace) || reference === undefined || rest.length > 0) return false
  return (namespace === 'eip155' ? eip155ReferencePattern : referencePattern).test(reference)
}

/** Exactly three non-empty parts with a known namespace (spec §5). */
export function isCaipAddress(value: unknown): value is CaipAddress {
  if (typeof value !== 'string') return false
  const parts = value.split(':')
  return parts.length === 3 && parts.every((part) => part !== '') && isNamespace(parts[0])
}

/** Splits an id that was checked before; throws on one that was not. */
export function parseCaipNetworkId(id: CaipNetworkId): { namespace: Namespace; reference: string } {
  const [namespace, reference] = id.split(':')
  if (!isNamespace(namespace) || reference === undefined) throw new TypeError(`Not a CAIP-2 id: ${id}`)
  return { namespace, reference }
}

/** Splits an account that was checked before; throws on one that was not. */
export function parseCaipAddress(account: CaipAddress): {
  namespace: Namespace
  networkId: CaipNetworkId
  address: string
} {
  const [namespace, reference, address] = account.split(':')
  if (!isNamespace(namespace) || reference === undefined || address === undefined) {
    throw new TypeError(`Not a CAIP-10 account: ${account}`)
  }
  return { namespace, networkId: `${namespace}:${reference}`, address }
}

/** An optional `0x` and 40 hexadecimal characters (spec §5), anchored. */
export const Eip155Address = z.string().check(z.regex(/^(0x)?[0-9a-fA-F]{40}$/))

/** 32 to 44 base58 characters (spec §5), anchored; base58 knows no 0, O, I or l. */
export const SolanaAddress = z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
