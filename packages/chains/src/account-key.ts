import type { Account } from '@postern/protocol'

/** What belongs to one account alone is kept under this. Addresses of EVM networks are one whatever the case of their letters. */
export function accountKey({ namespace, address }: Pick<Account, 'namespace' | 'address'>): string {
  return `${namespace}.${namespace === 'eip155' ? address.toLowerCase() : address}`
}
