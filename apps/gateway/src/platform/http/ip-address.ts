import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Parses an IP address, without its zone; null if it is none. `node:net` decides, since it also connects: ipaddr.js
 * alone accepts `127.1`, `0177.0.0.1` and `2130706433`.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const [address = ''] = text.split('%', 1)
  return isIP(text) === 0 ? null : ipaddr.parse(address)
}

/** The /16, /32, /48, … of an IPv6 address: its first groups in hexadecimal. */
export function ipv6Prefix(address: ipaddr.IPv6, groups: number): string {
  return address.parts
    .slice(0, groups)
    .map((part) => part.toString(16))
    .join(':')
}

export function isIpv4(address: IpAddress): address is ipaddr.IPv4 {
  return address.kind() === 'ipv4'
}
