import { describe, expect, it } from 'vitest'
import { resolveName } from './resolve-name'

const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

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

  it('reports an unregistered name', async () => {
    expect(await resolveName(api(null), 'free.eth', 'eip155:1')).toEqual({ kind: 'unregistered' })
  })

  it.each(['', `0x${'0'.repeat(40)}`, 'bob.eth', '0x12', 'javascript:alert(1)'])(
    'rejects %j as an address',
    async (address) =>
      expect(await resolveName(api({ 60: address }), 'alice.eth', 'eip155:1')).toEqual({ kind: 'noAddress' }),
  )
})
