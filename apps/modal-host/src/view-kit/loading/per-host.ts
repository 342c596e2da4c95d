import { accountKey } from '@postern/chains/account-key'
import type { Account } from '@postern/protocol'
import type { Host } from '../../snapshot/contract'

/** State that lives as long as its host: typed or pending values survive while another view covers theirs. */
export function perHost<T extends object, Rest extends readonly unknown[] = []>(
  make: (host: Host, ...rest: Rest) => T,
): (host: Host, ...rest: Rest) => T {
  const values = new WeakMap<Host, T>()
  return (host, ...rest) => {
    const value = values.get(host) ?? make(host, ...rest)
    values.set(host, value)
    return value
  }
}

/** No account sees another's state. Null: not connected. */
export function perAccount<T extends object>(
  make: () => T,
): (host: Host, account: Pick<Account, 'namespace' | 'address'> | null) => T {
  const valuesOf = perHost(() => new Map<string, T>())
  return (host, account) => {
    const values = valuesOf(host)
    const key = account === null ? '' : accountKey(account)
    const value = values.get(key) ?? make()
    values.set(key, value)
    return value
  }
}
