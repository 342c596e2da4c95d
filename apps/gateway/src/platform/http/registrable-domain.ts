/** Owners of host names, by the public suffix list (https://publicsuffix.org). */
import { parse } from 'tldts'

/**
 * The domain under which all names have one owner: `example.co.uk`, and `user.github.io` (a customer's name). Without
 * one (a suffix, a single label, an IP address): the host.
 */
export function ownedDomain(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host
}

/** As {@link ownedDomain}, but registered with a registry: `github.io` for `user.github.io`. */
export function registeredDomain(host: string): string {
  return parse(host).domain ?? host
}

/** Whether names one label below `host` can have different owners: `co.uk`, `github.io`. */
export function hasManyOwners(host: string): boolean {
  const below = `any.${host}`
  return ownedDomain(below) === below
}
