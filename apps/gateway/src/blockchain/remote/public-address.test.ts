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
