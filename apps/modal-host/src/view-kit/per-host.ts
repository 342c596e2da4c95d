import { accountKey } from '@postern/chains/account-key'
import type { Account } from '@postern/protocol'
import type { Host } from '../snapshot/contract'

/**
 * What a feature knows for as long as its host is there, made once when it is first asked for. A view does not last: another view, or a wallet's question on top
 * of it, ends it, and it begins anew behind that. What is typed, chosen or under way must not end with it.
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

/**
 * The same for one account by itself: what somebody typed, bought or was told is nobody else's to see who connects or signs in later, and is there again when they are
 * back. Null: nobody is connected.
 */
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
