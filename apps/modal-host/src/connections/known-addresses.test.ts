import { describe, expect, it } from 'vitest'
import { createKnownAddresses } from './known-addresses'

function storageAt(place: 'frame' | 'page', kept: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(kept))
  return {
    place,
    values,
    get: (name: string) => values.get(name) ?? null,
    set: (name: string, value: string | null) => void (value === null ? values.delete(name) : values.set(name, value)),
  }
}

const ada = { namespace: 'eip155', address: '0xAda' } as const
const place = 'known.eip155.0xada'

describe('createKnownAddresses', () => {
  it('1. reads back what it stored in the frame', () => {
    const storage = storageAt('frame')
    createKnownAddresses(storage).add(ada, ['0xa', '0xb'])
    createKnownAddresses(storage).add(ada, ['0xb', '0xc'])
    expect(createKnownAddresses(storage).list(ada)).toEqual(['0xb', '0xc', '0xa'])
    expect(createKnownAddresses(storage).list({ ...ada, namespace: 'solana' })).toEqual([])
  })

  it('1. neither reads known addresses from the dapp’s page nor sends them to it', () => {
    const storage = storageAt('page', { [place]: JSON.stringify(['0xthief']) })
    const known = createKnownAddresses(storage)
    expect(known.list(ada)).toEqual([])
    known.add(ada, ['0xfriend'])
    expect(known.list(ada)).toEqual(['0xfriend'])
    expect([...storage.values]).toEqual([[place, '["0xthief"]']])
  })

  it.each(['frame', 'page'] as const)('3. hides them from other users, stored in the %s', (where) => {
    const known = createKnownAddresses(storageAt(where))
    known.add(ada, ['0xfriend'])
    expect(known.list({ ...ada, address: '0xBob' })).toEqual([])
    expect(known.list({ ...ada, address: '0xada' })).toEqual(['0xfriend'])
  })

  it('2. drops the oldest', () => {
    const known = createKnownAddresses(storageAt('frame'))
    for (let at = 0; at < 130; at += 1) known.add(ada, [`0x${at}`])
    expect(known.list(ada)).toHaveLength(100)
    expect(known.list(ada)[0]).toBe('0x129')
  })
})
