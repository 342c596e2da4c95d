/** Source: IANA's registries of special-purpose addresses (RFC 6890), as ipaddr.js has them. */
import ipaddr from 'ipaddr.js'
import { isIpv4, parseIpAddress } from '../../../platform/http/ip-address'

/** The only unicast that IANA has allocated; ipaddr.js calls everything unknown unicast. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address === null || text.includes('%') || address.range() !== 'unicast') return false
  return isIpv4(address) || address.match(globalUnicast)
}
