import { isIPv6 } from 'node:net'

/**
 * The caller's network, for rate limits only.
 *
 * @param peer the connection's remote address.
 * @param forwardedFor X-Forwarded-For; each proxy appends the address that it saw.
 * @param trustedProxies how many of the last hops are ours; 0 ignores the header, which can be forged.
 * @returns an IPv4 address, or an IPv6 /64: a subscriber has all of it.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trustedProxies: number): string {
  const address = clientIp(peer, forwardedFor, trustedProxies)
  return isIPv6(address) ? prefix64(address) : address
}

/** The full address, for a service that binds a session to it. */
export function clientIp(peer: string, forwardedFor: string | undefined, trustedProxies: number): string {
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => hop.trim()), peer].filter((hop) => hop !== '')
  const address = hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? peer
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function prefix64(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
