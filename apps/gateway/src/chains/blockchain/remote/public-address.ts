/**
 * Which addresses are on the public internet, and not of a private or special network.
 * Source: IANA's registries of special-purpose addresses (RFC 6890), IPv4 and IPv6, as ipaddr.js has them.
 */
import ipaddr from 'ipaddr.js'
import { isIpv4, parseIpAddress } from '../../../platform/http/ip-address'

/** Global unicast, the only part of IPv6 that IANA has allocated. ipaddr.js calls everything that it does not know unicast. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address === null || text.includes('%') || address.range() !== 'unicast') return false
  return isIpv4(address) || address.match(globalUnicast)
}
