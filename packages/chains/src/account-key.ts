import type { Account } from '@postern/protocol'
import { addressKey } from '@postern/protocol/namespaces/facts'

/** Storage key of an account's data. */
export function accountKey({ namespace, address }: Pick<Account, 'namespace' | 'address'>): string {
  return `${namespace}.${addressKey(namespace, address)}`
}
