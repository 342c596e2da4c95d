import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * An IP address, without its zone, as `node:net` reads it: ipaddr.js alone accepts `127.1`, `0177.0.0.1`, `2130706433`.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const [address = ''] = text.split('%', 1)
  return isIP(text) === 0 ? null : ipaddr.parse(address)
}

/** The first groups of an IPv6 address in hexadecimal: its /16, /32, /48, … */
export function ipv6Prefix(address: ipaddr.IPv6, groups: number): string {
  return address.parts
    .slice(0, groups)
    .map((part) => part.toString(16))
    .join(':')
}

export function isIpv4(address: IpAddress): address is ipaddr.IPv4 {
  return address.kind() === 'ipv4'
}
