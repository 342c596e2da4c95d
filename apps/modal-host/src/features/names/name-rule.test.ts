import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseName } from './name-rule'

const read = (typed: string) => parseName(typed, '.postern')

describe('parseName', () => {
  it.each(['ada-lovelace', ' Ada-Lovelace ', 'ADA-LOVELACE.postern', 'ada-lovelace.POSTERN'])(
    '1. normalises %j',
    (typed) => expect(read(typed)).toEqual({ kind: 'name', label: 'ada-lovelace', name: 'ada-lovelace.postern' }),
  )

  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['.postern', 'empty'],
    ['ada', 'short'],
    ['a'.repeat(64), 'long'],
    ['-ada-', 'hyphen'],
    ['adah-', 'hyphen'],
    ['ada.lovelace', 'characters'],
    ['ada_lovelace', 'characters'],
    ['аda-lovelace', 'characters'],
    ['ada lovelace', 'characters'],
    ['ada\u200blovelace', 'characters'],
  ])('2. 3. rates %j: %s', (typed, kind) => expect(read(typed).kind).toBe(kind))

  it('never accepts a name that the registry could read differently', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        const typedName = read(typed)
        if (typedName.kind === 'name') expect(typedName.name).toMatch(/^[a-z0-9][a-z0-9-]{2,61}[a-z0-9]\.postern$/)
      }),
    )
  })
})
