import { manualClock } from '@postern/protocol/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import { randomSecret } from '../random'
import { createLadder } from '../storage/ladder'
import { FakeIndexedDb } from '../testing/fake-indexed-db'
import { createKnownAddresses } from './known-addresses'

const request = { networkId: 'eip155:1', origin: 'https://app.example' } as const

function known(indexedDB = new FakeIndexedDb()) {
  const denied = { isGranted: async () => false, request: () => Promise.reject(new Error('denied')) }
  const clock = manualClock()
  return createKnownAddresses(
    createLadder({
      projectId: 'demo',
      randomSecret,
      crypto,
      clock,
      storageAccess: denied,
      indexedDB: () => indexedDB,
    }),
  )
}

describe('createKnownAddresses', () => {
  it('1. stores past recipients in the wallet’s own storage', async () => {
    const storage = new FakeIndexedDb()
    await known(storage).add({ userId: 'ada', request }, ['0xaa'])
    expect(await known(storage).list({ userId: 'ada', request })).toEqual(['0xaa'])
  })

  it('2. has a list per user, namespace and dapp, with the newest 100', async () => {
    const addresses = known()
    await addresses.add({ userId: 'ada', request }, ['0xaa'])
    for (const other of [
      { userId: 'bob', request },
      { userId: 'ada', request: { ...request, origin: 'https://other.example' } },
      { userId: 'ada', request: { ...request, networkId: 'bip122:000000000019d6689c085ae165831e93' } },
    ] as const)
      expect(await addresses.list(other)).toEqual([])
    for (let at = 0; at < 120; at += 1) await addresses.add({ userId: 'ada', request }, [`0x${at}`])
    const list = await addresses.list({ userId: 'ada', request })
    expect([list.length, list[0]]).toEqual([100, '0x119'])
  })
})
