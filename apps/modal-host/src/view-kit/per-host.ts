import { accountKey } from '@postern/chains/account-key'
import type { Account } from '@postern/protocol'
import type { Host } from '../snapshot/contract'

/**
 * State that lives as long as its host. A view unmounts when another view or a wallet prompt covers it; typed or
 * pending values must survive that.
 */
export function perHost<T extends object, Rest extends readonly unknown[] = []>(
  make: (host: Host, ...rest: Rest) => T,
): (host: Host, ...rest: Rest) => T {
  const made = new WeakMap<Host, T>()
  return (host, ...rest) => {
    const known = made.get(host) ?? make(host, ...rest)
    made.set(host, known)
    return known
  }
}

/** Like `perHost`, per account: one account never sees another's state. Null: not connected. */
export function perAccount<T extends object>(
  make: () => T,
): (host: Host, account: Pick<Account, 'namespace' | 'address'> | null) => T {
  const madeOf = perHost(() => new Map<string, T>())
  return (host, account) => {
    const made = madeOf(host)
    const key = account === null ? '' : accountKey(account)
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known
  }
}
