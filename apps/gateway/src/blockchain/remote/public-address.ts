/**
 * Which addresses are of the open network: anybody's to reach, and nobody's own network.
 * Source: IANA's registries of special-purpose addresses (RFC 6890), IPv4 and IPv6.
 */
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
/** Within what is given out: protocol assignments (Teredo among them), documentation, and 6to4, which hides another address. */
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(address, prefix, 'ipv6')
}

/** Everything else of IPv6 is given to nobody, or is special: mapped and translated addresses, link-local, unique local, multicast. */
const givenOut = new BlockList()
givenOut.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address)
  return isIPv6(address) && !address.includes('%') && givenOut.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
