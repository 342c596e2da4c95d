import { describe, expect, it } from 'vitest'
import { resolveName } from './resolve-name'

const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function api(addresses: Readonly<Record<string, string>> | null) {
  const profile = addresses && {
    name: 'alice.eth',
    registered_at: '',
    addresses: Object.fromEntries(Object.entries(addresses).map(([coin, address]) => [coin, { address, created: '' }])),
    attributes: [],
  }
  return { name: async () => profile }
}

describe('resolveName', () => {
  it('returns the address of the network’s coin', async () => {
    expect(await resolveName(api({ 60: alice.toLowerCase() }), 'alice.eth', 'eip155:1')).toEqual({
      kind: 'found',
      address: alice,
    })
    expect(await resolveName(api({ 60: alice }), 'alice.eth', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toEqual({
      kind: 'noAddress',
    })
  })

  it('prefers the address of the chain to that of all chains', async () => {
    const base = 'eip155:8453'
    const both = { 60: alice, 2147492101: bob }
    expect(await resolveName(api(both), 'alice.eth', base)).toEqual({ kind: 'found', address: bob })
    expect(await resolveName(api(both), 'alice.eth', 'eip155:10')).toEqual({ kind: 'found', address: alice })
    expect(await resolveName(api({ 2147492101: bob }), 'alice.eth', 'eip155:1')).toEqual({ kind: 'noAddress' })
  })

  it('reports an unregistered name', async () => {
    expect(await resolveName(api(null), 'free.eth', 'eip155:1')).toEqual({ kind: 'unregistered' })
  })

  it.each(['', `0x${'0'.repeat(40)}`, 'bob.eth', '0x12', 'javascript:alert(1)'])(
    'rejects %j as an address',
    async (address) =>
      expect(await resolveName(api({ 60: address }), 'alice.eth', 'eip155:1')).toEqual({ kind: 'noAddress' }),
  )
})
