/** Whether an IP address is globally reachable. Source: IANA's special-purpose address registries (RFC 6890). */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const special = new BlockList()
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(address, prefix)
}
/** Within 2000::/3: protocol assignments (Teredo), documentation, and 6to4, which embeds another address. */
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(address, prefix, 'ipv6')
}

/** The rest of IPv6 is unassigned or special (mapped, translated, link-local, unique local, multicast). */
const givenOut = new BlockList()
givenOut.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address)
  return isIPv6(address) && !address.includes('%') && givenOut.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
