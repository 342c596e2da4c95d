import type { Host } from '../session/contract'

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
