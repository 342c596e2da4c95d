/** Who owns a host name, by the public suffix list (https://publicsuffix.org), which `tldts` has in its code. */
import { parse } from 'tldts'

/**
 * The domain under which all names have one owner, as browsers draw the line of a site: `example.co.uk`, and
 * `user.github.io`, whose suffix belongs to a company that gives names to its customers. Without one (a suffix, a single
 * label, an IP address) the host itself.
 */
export function ownedDomain(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host
}

/** The domain that was registered with a registry: `github.io` for `user.github.io`. Else as {@link ownedDomain}. */
export function registeredDomain(host: string): string {
  return parse(host).domain ?? host
}

/** Whether names one label below `host` can have different owners: `co.uk`, `github.io`. */
export function hasManyOwners(host: string): boolean {
  const below = `any.${host}`
  return ownedDomain(below) === below
}
