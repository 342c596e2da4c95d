/** The only list of chain namespaces. */

/** In display order. */
export const namespaces = ['eip155', 'solana', 'bip122'] as const
export type Namespace = (typeof namespaces)[number]

/** Those of the embedded wallet's keys. Devices have signed texts that list addresses in this order. */
export const walletNamespaces = ['eip155', 'solana', 'bip122'] as const satisfies readonly Namespace[]
export type WalletNamespace = (typeof walletNamespaces)[number]

export function isWalletNamespace(namespace: Namespace): namespace is WalletNamespace {
  return walletNamespaces.some((each) => each === namespace)
}

/** CAIP-2. */
export type CaipNetworkId = `${Namespace}:${string}`

/** Wallet Standard prefixes of network names; also of our aliases. */
export const standardPrefixes = { solana: 'solana', bip122: 'bitcoin' } as const satisfies Partial<
  Record<Namespace, string>
>
export type StandardNamespace = keyof typeof standardPrefixes

export function isStandardNamespace(namespace: Namespace): namespace is StandardNamespace {
  return namespace in standardPrefixes
}

export function isNamespace(value: unknown): value is Namespace {
  return namespaces.some((namespace) => namespace === value)
}

/** Reads a CAIP-2 or CAIP-10 id; throws for other text. */
export function namespaceOf(id: string): Namespace {
  const [namespace] = id.split(':')
  if (!isNamespace(namespace)) throw new TypeError(`Not a CAIP-2 id: ${id}`)
  return namespace
}

export function byNamespace<T>(valueFor: (namespace: Namespace) => T): Record<Namespace, T> {
  return recordOf(namespaces, valueFor)
}

export function byWalletNamespace<T>(valueFor: (namespace: WalletNamespace) => T): Record<WalletNamespace, T> {
  return recordOf(walletNamespaces, valueFor)
}

function recordOf<N extends Namespace, T>(names: readonly N[], valueFor: (namespace: N) => T): Record<N, T> {
  return Object.assign({}, ...names.map((namespace) => ({ [namespace]: valueFor(namespace) })))
}
