import type { Account } from '@postern/protocol'
import { addressKey } from '@postern/protocol/namespaces/facts'

export function accountKey({ namespace, address }: Pick<Account, 'namespace' | 'address'>): string {
  return `${namespace}.${addressKey(namespace, address)}`
}
