import { BlockList, isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address'

test.each([
  ['8.8.8.8'],
  ['1.1.1.1'],
  ['93.184.216.34'],
  ['172.15.255.255'],
  ['172.32.0.1'],
  ['100.63.255.255'],
  ['100.128.0.1'],
  ['223.255.255.255'],
  ['2606:4700:4700::1111'],
  ['2a00:1450:4001:80e::200e'],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

describe('is not public', () => {
  test.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['a provider’s', '100.64.0.1'],
    ['link-local, and a cloud’s metadata', '169.254.169.254'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarks', '198.18.0.1'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.7'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback, mapped', '::ffff:127.0.0.1'],
    ['loopback, mapped in hexadecimal', '::ffff:7f00:1'],
    ['a public one, mapped', '::ffff:8.8.8.8'],
    ['loopback, compatible', '::127.0.0.1'],
    ['link-local', 'fe80::1'],
    ['link-local with its zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd12:3456::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['Teredo', '2001:0:7f00:1::'],
    ['benchmarks', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['NAT64 of loopback', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['discard', '100::1'],
    ['no address', 'localhost'],
    ['no address', ''],
    ['a number', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['short', '127.1'],
  ])('%s: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test('every IPv4-mapped IPv6 address', () => {
    fc.assert(fc.property(fc.ipV4(), (address) => !isPublicAddress(`::ffff:${address}`)))
  })

  test('every address of 10.0.0.0/8 and of fc00::/7', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(fc.property(byte, byte, byte, (a, b, c) => !isPublicAddress(`10.${a}.${b}.${c}`)))
    fc.assert(
      fc.property(byte, byte, (a, b) => !isPublicAddress(`fd${a.toString(16).padStart(2, '0')}::${b.toString(16)}`)),
    )
  })
})

/** The special-purpose addresses of IANA's registries, as a second opinion beside ipaddr.js. */
const specialIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
const specialIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

describe('agrees with IANA’s registries', () => {
  const special = new BlockList()
  for (const [address, prefix] of specialIpv4) special.addSubnet(address, prefix)
  for (const [address, prefix] of specialIpv6) special.addSubnet(address, prefix, 'ipv6')
  const globalUnicast = new BlockList()
  globalUnicast.addSubnet('2000::', 3, 'ipv6')

  test.each([...specialIpv4])('every address of %s/%i is refused', (network, prefix) => {
    const base = toNumber(network)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** (32 - prefix) - 1 }), (offset) => {
        expect(isPublicAddress(toIpv4(base + offset))).toBe(false)
      }),
    )
  })

  test('an IPv4 address is public if no registry lists it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
        const address = toIpv4(number)
        expect(isPublicAddress(address)).toBe(!special.check(address))
      }),
    )
  })

  test('an IPv6 address is public if it is global unicast and no registry lists it', () => {
    fc.assert(
      fc.property(ipv6(), (address) => {
        expect(isPublicAddress(address)).toBe(globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6'))
      }),
      { numRuns: 1_000 },
    )
  })

  test('every spelling of an IPv6 address has one answer', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (!isIPv6(address)) return
        expect(isPublicAddress(address)).toBe(globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6'))
      }),
    )
  })

  test('a text that node does not connect to as an address is refused', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-fx.:%]{0,24}$/))
    fc.assert(fc.property(text, (address) => isIPv4(address) || isIPv6(address) || !isPublicAddress(address)))
  })

  test('an address with a zone is refused', () => {
    fc.assert(
      fc.property(ipv6(), fc.stringMatching(/^[a-z0-9.]{1,8}$/), (address, zone) => {
        expect(isPublicAddress(`${address}%${zone}`)).toBe(false)
      }),
    )
  })
})

function toNumber(ipv4: string): number {
  return ipv4.split('.').reduce((number, octet) => number * 256 + Number(octet), 0)
}

function toIpv4(number: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.')
}

/** Mostly addresses near the special ones. */
function ipv6(): fc.Arbitrary<string> {
  const group = fc.integer({ min: 0, max: 0xffff })
  const first = fc.oneof(group, fc.constantFrom(0, 0x64, 0x100, 0x2001, 0x2002, 0x2620, 0x3ffe, 0x3fff, 0xfc00, 0xfe80))
  const second = fc.oneof(group, fc.constantFrom(0, 2, 3, 0x10, 0x1ff, 0x200, 0x4f, 0xdb8, 0xff9b, 0xfff, 0x1000))
  const third = fc.oneof(group, fc.constantFrom(0, 0x8000))
  return fc
    .tuple(first, second, third, group, group, group, group, group)
    .map((groups) => groups.map((part) => part.toString(16)).join(':'))
}
