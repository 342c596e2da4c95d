import { bip122 } from './bip122'
import type { NamespaceFacts } from './contract'
import { eip155 } from './eip155'
import { type CaipNetworkId, isNamespace, type Namespace } from './index'
import { solana } from './solana'

export const namespaceFacts: Readonly<Record<Namespace, NamespaceFacts>> = { eip155, solana, bip122 }

export function isCaipNetworkId(value: unknown): value is CaipNetworkId {
  if (typeof value !== 'string') return false
  const [namespace, reference, ...rest] = value.split(':')
  if (!isNamespace(namespace) || reference === undefined || rest.length > 0) return false
  return namespaceFacts[namespace].reference.test(reference)
}

export function isSameAddressIn(namespace: Namespace, one: string, other: string): boolean {
  return addressKey(namespace, one) === addressKey(namespace, other)
}

/** The same key for all forms of one address. */
export function addressKey(namespace: Namespace, address: string): string {
  return namespaceFacts[namespace].caseChecksum === null ? address : address.toLowerCase()
}
