import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientAddress, clientIp, siteOf, watchForwarding } from './client-address'

describe('clientAddress', () => {
  test.each([
    ['no proxy in front: the header is ignored', '203.0.113.9', '1.1.1.1', 0, '203.0.113.9'],
    ['one proxy in front: what it appended', '10.0.0.1', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
    ['two proxies in front', '10.0.0.2', '6.6.6.6, 203.0.113.9, 10.0.0.1', 2, '203.0.113.9'],
    ['fewer hops than proxies: the first there is', '10.0.0.1', undefined, 2, '10.0.0.1'],
    ['an IPv4 address in IPv6 clothes', '::ffff:203.0.113.9', undefined, 0, '203.0.113.9'],
    ['an IPv4-mapped address in hexadecimal', '::ffff:cb00:7109', undefined, 0, '203.0.113.9'],
    ['an address with a zone', 'fe80::1%eth0', undefined, 0, 'fe80:0:0:0::/64'],
    ['a header that holds no address', '10.0.0.1', 'unknown', 1, 'unknown'],
    ['a header of the caller where the operator has fewer proxies', '203.0.113.9', 'a'.repeat(8_000), 1, 'unknown'],
    ['an address with a port, as some proxies write', '10.0.0.1', '203.0.113.9:51234', 1, '203.0.113.9'],
    ['an IPv6 address with a port', '10.0.0.1', '[2001:db8:1:2::6]:51234', 1, '2001:db8:1:2::/64'],
    ['no peer, as of a Unix socket', '', undefined, 0, 'unknown'],
    ['no peer, as of a reset connection: the header is ignored', '', '6.6.6.6', 0, 'unknown'],
    ['no peer behind a proxy: what the proxy appended', '', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
    ['an IPv6 subscriber by his prefix', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
    ['the same, shortened', '2001:db8:1:2::6', undefined, 0, '2001:db8:1:2::/64'],
    ['loopback', '::1', undefined, 0, '0:0:0:0::/64'],
  ])('%s', (_, peer, forwarded, proxies, expected) => {
    expect(clientAddress(peer, forwarded, proxies)).toBe(expected)
  })
})

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::/64', '2001:db8:1::/48'],
  ['203.0.113.9', null],
  ['unknown', null],
])('siteOf %s is %s', (address, expected) => {
  expect(siteOf(address)).toBe(expected)
})

test.each([
  ['an IPv6 address, whole', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2:3:4:5:6'],
  ['an IPv4 address in IPv6 clothes', '::ffff:203.0.113.9', undefined, 0, '203.0.113.9'],
  ['what a proxy of ours appended', '10.0.0.1', '6.6.6.6, 2001:db8::9', 1, '2001:db8::9'],
  ['no zone, which may be long', `fe80::1%${'a'.repeat(1_000)}`, undefined, 0, 'fe80::1'],
  ['no address, if the header has none', '10.0.0.1', 'a'.repeat(8_000), 1, 'unknown'],
  ['not what the caller says', '203.0.113.9', '6.6.6.6', 0, '203.0.113.9'],
])('clientIp returns %s', (_, peer, forwarded, proxies, expected) => {
  expect(clientIp(peer, forwarded, proxies)).toBe(expected)
})

test('says once that the header is ignored, unless a proxy is trusted', () => {
  const told: string[] = []
  const plain = watchForwarding(0, () => told.push('plain'))
  const proxied = watchForwarding(1, () => told.push('proxied'))
  for (const header of [undefined, '192.0.2.1', '192.0.2.2']) {
    plain(header)
    proxied(header)
  }
  expect(told).toEqual(['plain'])
})

test('a caller that resets its connection cannot choose its address', async () => {
  const addresses: string[] = []
  const server = createServer((request) => {
    addresses.push(clientAddress(request.socket.remoteAddress ?? '', `${request.headers['x-forwarded-for']}`, 0))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  for (let count = 0; count < 10; count += 1) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.77\r\n\r\n')
      socket.resetAndDestroy()
    })
    socket.on('error', () => {})
  }
  await expect.poll(() => addresses.length).toBe(10)
  expect(addresses.filter((address) => address === '203.0.113.77')).toEqual([])
})
