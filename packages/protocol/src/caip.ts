import * as z from 'zod/mini'
import { byNamespace, isNamespace, namespaceOf, namespaces } from './namespaces'
import { bip122 } from './namespaces/bip122'
import { eip155 } from './namespaces/eip155'
import { isCaipNetworkId, namespaceFacts } from './namespaces/facts'
import { solana } from './namespaces/solana'

export { byNamespace, isCaipNetworkId, namespaceFacts, namespaceOf, namespaces }
export const Namespace = z.enum(namespaces)
export type Namespace = z.infer<typeof Namespace>

/** CAIP-10. */
export type CaipAddress = `${Namespace}:${string}:${string}`

/** CAIP-2. */
export type CaipNetworkId = `${Namespace}:${string}`
export const CaipNetworkId = z.custom<CaipNetworkId>(isCaipNetworkId, 'Invalid input')
export const CaipAddress = z.custom<CaipAddress>(isCaipAddress, 'Invalid CAIP Address')

/** Spec §5. */
export function isCaipAddress(value: unknown): value is CaipAddress {
  if (typeof value !== 'string') return false
  const parts = value.split(':')
  return parts.length === 3 && parts.every((part) => part !== '') && isNamespace(parts[0])
}

export function parseCaipNetworkId(id: CaipNetworkId): { namespace: Namespace; reference: string } {
  const [, reference] = id.split(':')
  if (reference === undefined) throw new TypeError(`Not a CAIP-2 id: ${id}`)
  return { namespace: namespaceOf(id), reference }
}

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

/** Spec §5. */
export const Eip155Address = z.string().check(z.regex(eip155.recipient))

/** 32 to 44 base58 characters (spec §5). */
export const SolanaAddress = z.string().check(z.regex(solana.address))

/** As a wallet reports it. */
export const BitcoinAddress = z.string().check(z.regex(bip122.address))
