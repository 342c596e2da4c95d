import { type IpAddress, ipv6Prefix, isIpv4, parseIpAddress } from './ip-address'

/**
 * The caller's network, for rate limits only: an IPv4 address, or an IPv6 /64, which a subscriber has whole.
 *
 * @param forwardedFor X-Forwarded-For, to which each proxy appends the address that it saw.
 * @param trustedProxies our hops at its end; 0 ignores the header, which can be forged.
 * @returns `unknown` for a hop that is not an address: no caller chooses a key's length.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trustedProxies: number): string {
  const address = addressOf(peer, forwardedFor, trustedProxies)
  if (address === null) return 'unknown'
  return isIpv4(address) ? address.toString() : `${ipv6Prefix(address, 4)}::/64`
}

/** The /48 of a /64, which one customer may have whole; null for an IPv4 address. */
export function siteOf(address: string): string | null {
  const groups = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(address)
  return groups === null ? null : `${groups[1]}::/48`
}

/** The full address, for a service that binds a session to it, or `unknown`. */
export function clientIp(peer: string, forwardedFor: string | undefined, trustedProxies: number): string {
  return addressOf(peer, forwardedFor, trustedProxies)?.toString() ?? 'unknown'
}

function addressOf(peer: string, forwardedFor: string | undefined, trustedProxies: number): IpAddress | null {
  const added = (forwardedFor ?? '').split(',').flatMap((hop) => hop.trim() || [])
  // A reset connection has no peer (''), but keeps its place: else the caller's own header would take it.
  const hops = [...added, peer]
  const hop = hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? peer
  const address = parseIpAddress(hop) ?? parseIpAddress(withoutPort(hop))
  return address === null || isIpv4(address) || !address.isIPv4MappedAddress() ? address : address.toIPv4Address()
}

/** Some proxies append a port (`203.0.113.9:51234`): each connection would get its own limit. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[(.+)\]|([^:]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return ipv6 ?? ipv4 ?? ''
}

/** Calls `onIgnored` once if the header comes but no proxy is trusted: all callers may share one address. */
export function watchForwarding(
  trustedProxies: number,
  onIgnored: () => void,
): (forwardedFor: string | undefined) => void {
  let isTold = trustedProxies > 0
  return (forwardedFor) => {
    if (isTold || forwardedFor === undefined) return
    isTold = true
    onIgnored()
  }
}
