import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKeyedHash, createSealer, type Key, SealError } from './sealer'

const key = (id: string): Key => ({ id, bytes: randomBytes(32) })
const old = key('1')
const today = key('2')

describe('createSealer', () => {
  test('1. opens with every key of the ring, seals with the first', () => {
    const before = createSealer([old]).seal('text', 'context')
    const rotated = createSealer([today, old])
    expect(rotated.open(before, 'context')).toBe('text')
    expect(rotated.seal('text', 'context')).toMatch(/^2\./)
    expect(() => createSealer([today]).open(before, 'context')).toThrow(SealError)
  })

  test('2. opens only with the same context, and seals differently each time', () => {
    const sealer = createSealer([today])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, context, other) => {
        const sealed = sealer.seal(text, context)
        expect(sealer.open(sealed, context)).toBe(text)
        expect(sealer.seal(text, context)).not.toBe(sealed)
        if (other !== context) expect(() => sealer.open(sealed, other)).toThrow(SealError)
      }),
      { numRuns: 200 },
    )
  })

  test('3. hashing and sealing use separate keys', () => {
    expect(createKeyedHash([today]).hash('a')).not.toBe(createKeyedHash([{ ...old, id: '2' }]).hash('a'))
    expect(() => createSealer([today]).open(createKeyedHash([today]).hash('a'), '')).toThrow(SealError)
  })

  test('4. rejects any change, with an error that reveals nothing', () => {
    const sealer = createSealer([today])
    const sealed = sealer.seal('secret words', 'context')
    const bytes = Buffer.from(sealed.slice(2), 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => sealer.open(`2.${changed.toString('base64url')}`, 'context')).toThrow('A sealed value does not open')
    }
  })

  test('4. rejects arbitrary text', () => {
    const sealer = createSealer([today])
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => sealer.open(text, 'context')).toThrow(SealError)
        expect(() => sealer.open(`2.${text}`, 'context')).toThrow(SealError)
      }),
    )
  })
})

describe('createKeyedHash', () => {
  test('returns a hash by every key of the ring, the current key’s first', () => {
    const hashes = createKeyedHash([today, old]).hashes('a@example.com')
    expect(hashes).toEqual([
      createKeyedHash([today]).hash('a@example.com'),
      createKeyedHash([old]).hash('a@example.com'),
    ])
  })
})
