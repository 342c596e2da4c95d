import { isIPv6 } from 'node:net'

/**
 * Who calls, for rate limits only.
 *
 * @param peer the other end of the connection.
 * @param forwardedFor the X-Forwarded-For header: each proxy appends the address it saw.
 * @param trustedProxies how many of the last hops are our own proxies; 0 ignores the header, which anyone can send.
 * @returns an IPv4 address, or the /64 of an IPv6 one: a subscriber has that many addresses to himself.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trustedProxies: number): string {
  const address = clientIp(peer, forwardedFor, trustedProxies)
  return isIPv6(address) ? prefix64(address) : address
}

/** The whole address, for a service that binds something to it. Parameters as above. */
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
