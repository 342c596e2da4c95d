/** The supported CAIP-2 namespaces, in display order. */
export const namespaces = ['eip155', 'solana', 'bip122'] as const
export type Namespace = (typeof namespaces)[number]

/** CAIP-2, for example `eip155:8453`. */
export type CaipNetworkId = `${Namespace}:${string}`

const referencePattern = /^[-_a-zA-Z0-9]{1,32}$/
const eip155ReferencePattern = /^(0|[1-9][0-9]{0,15})$/

export function isNamespace(value: unknown): value is Namespace {
  return namespaces.some((namespace) => namespace === value)
}

export function isCaipNetworkId(value: unknown): value is CaipNetworkId {
  if (typeof value !== 'string') return false
  const [namespace, reference, ...rest] = value.split(':')
  if (!isNamespace(namespace) || reference === undefined || rest.length > 0) return false
  return (namespace === 'eip155' ? eip155ReferencePattern : referencePattern).test(reference)
}
