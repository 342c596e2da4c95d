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

describe('createKnownAddresses', () => {
  it('1. finds again what it kept in the frame', () => {
    const storage = storageAt('frame')
    createKnownAddresses(storage).add('eip155', ['0xa', '0xb'])
    createKnownAddresses(storage).add('eip155', ['0xb', '0xc'])
    expect(createKnownAddresses(storage).list('eip155')).toEqual(['0xb', '0xc', '0xa'])
    expect(createKnownAddresses(storage).list('solana')).toEqual([])
  })

  it('1. believes nothing that the dapp’s page says of whom the visitor knows, and tells it nothing', () => {
    const storage = storageAt('page', { 'known.eip155': JSON.stringify(['0xthief']) })
    const known = createKnownAddresses(storage)
    expect(known.list('eip155')).toEqual([])
    known.add('eip155', ['0xfriend'])
    expect(known.list('eip155')).toEqual(['0xfriend'])
    expect([...storage.values]).toEqual([['known.eip155', '["0xthief"]']])
  })

  it('2. forgets the oldest', () => {
    const known = createKnownAddresses(storageAt('frame'))
    for (let at = 0; at < 130; at += 1) known.add('eip155', [`0x${at}`])
    expect(known.list('eip155')).toHaveLength(100)
    expect(known.list('eip155')[0]).toBe('0x129')
  })
})
