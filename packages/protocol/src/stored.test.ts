import { readStored } from '@postern/base/read-stored'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { storedKeys } from './stored'

describe('readStored', () => {
  it('returns the stored value', () => {
    const recent = [{ id: 'io.example', rdns: 'io.example', name: 'Example' }]
    expect(readStored(storedKeys.recentWallets, JSON.stringify(recent))).toEqual(recent)
    expect(readStored(storedKeys.activeNetwork, '"eip155:1"')).toBe('eip155:1')
    expect(readStored(storedKeys.smartAccountNetworks, '"1,8453"')).toBe('1,8453')
  })

  it('treats an unparseable value as absent', () => {
    for (const text of [null, '', '{', 'null', '"eip155:01"', '{"a":1}']) {
      expect(readStored(storedKeys.activeNetwork, text)).toBeNull()
    }
    const three = Array(3).fill({ id: 'a', name: 'A' })
    expect(readStored(storedKeys.recentWallets, JSON.stringify(three))).toBeNull()
    expect(readStored(storedKeys.preferredAccountTypes, '{"near":"eoa"}')).toBeNull()
  })

  it('never throws, whatever the storage has', () => {
    const schemas: readonly z.ZodMiniType[] = Object.values(storedKeys)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const schema of schemas) expect(() => readStored(schema, text)).not.toThrow()
      }),
    )
  })
})
