import type { Account } from '@postern/protocol'

/** Storage key of an account's data. EVM addresses ignore case. */
export function accountKey({ namespace, address }: Pick<Account, 'namespace' | 'address'>): string {
  return `${namespace}.${namespace === 'eip155' ? address.toLowerCase() : address}`
}
