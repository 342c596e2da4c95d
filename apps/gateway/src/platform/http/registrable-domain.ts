/** Owners of host names, by the public suffix list (https://publicsuffix.org). */
import { parse } from 'tldts'

/**
 * The domain whose names have one owner: `example.co.uk`; `user.github.io` too, a customer's name. Else (a suffix, a
 * single label, an IP address) the host.
 */
export function ownedDomain(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host
}

/** Registered with a registry: `github.io` for `user.github.io`. Else as {@link ownedDomain}. */
export function registeredDomain(host: string): string {
  return parse(host).domain ?? host
}

/** Whether names below `host` can have different owners: `co.uk`, `github.io`. */
export function hasManyOwners(host: string): boolean {
  const below = `any.${host}`
  return ownedDomain(below) === below
}
