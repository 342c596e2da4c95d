import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { labelIn, readLabel } from './label'
import { suggestionsFor } from './suggestions'

describe('readLabel', () => {
  test.each(['ada1', 'ada-lovelace', '1234', 'a-b-c-d', 'a'.repeat(63), 'face', 'deadbeef'])('1 accepts %s', (text) => {
    expect(readLabel(text)).toEqual({ label: text })
  })

  test.each([
    ['three letters', 'ada'],
    ['64 letters', 'a'.repeat(64)],
    ['nothing', ''],
    ['a hyphen in front', '-adalovelace'],
    ['a hyphen at the end', 'adalovelace-'],
    ['hyphens alone', '----'],
    ['punycode, which is shown as another script', 'xn--80ak6aa92e'],
    ['a hyphen in the third and fourth place', 'ab--cd'],
    ['a dot', 'ada.lovelace'],
    ['an underscore', 'ada_lovelace'],
    ['a space', 'ada lovelace'],
    ['a Cyrillic а', '\u0430lice'],
    ['the Kelvin sign, which is k in lower case', '\u212aelvin'],
    ['the dotted capital I', '\u0130stanbul'],
    ['full-width letters', '\uff41\uff44\uff41\uff11'],
    ['something invisible', 'ada\u200blovelace'],
    ['a change of direction', '\u202ealice'],
    ['a line break', 'alice\n'],
    ['a zero byte', 'alice\0'],
    ['an EVM address', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    ['the beginning of one', '0xd8da'],
    ['one without its 0x', 'd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    ['an address of Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ])('1, 3 rejects %s', (_, text) => {
    expect(readLabel(text)).toEqual({ problem: 'rule' })
  })

  test('2 ignores letter case', () => {
    expect(readLabel('Ada-LoveLace')).toEqual({ label: 'ada-lovelace' })
  })

  test.each([
    'admin',
    'Support',
    'supp0rt',
    'p0stern',
    'post-ern',
    'adm1n',
    'offlclal',
    '0ff1c1al',
    'he1p',
    's-e-c-u-r-i-t-y',
  ])('4 reserves %s', (text) => {
    expect(readLabel(text)).toEqual({ problem: 'reserved' })
  })

  test('1, 2 returns only allowed characters for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[-a-zA-Z0-9]{1,70}$/)),
        (text) => {
          const read = readLabel(text)
          if ('label' in read) {
            expect(read.label).toMatch(/^[a-z0-9][a-z0-9-]{2,61}[a-z0-9]$/)
            expect(readLabel(read.label)).toEqual(read)
          }
        },
      ),
    )
  })
})

test('labelIn returns the label only of names with our suffix', () => {
  expect(labelIn('Ada1.POSTERN', '.postern')).toBe('ada1')
  for (const other of [
    'ada1.eth',
    'ada1',
    '.postern',
    'ada1postern',
    'x.ada1.postern',
    'ada1.postern.evil',
    'ada1.postern\0',
  ])
    expect(labelIn(other, '.postern')).toBeNull()
})

describe('suggestionsFor', () => {
  test('returns the same valid, similar labels for any letter case', () => {
    expect(suggestionsFor('Ada')).toEqual(suggestionsFor('ada'))
    expect(suggestionsFor('ada').slice(0, 2)).toEqual(['ada-wallet', 'ada-home'])
    expect(suggestionsFor('!!!')).toEqual([])
  })

  test('returns only labels that can be registered, for any input', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (wish) => {
        const labels = suggestionsFor(wish)
        expect(new Set(labels).size).toBe(labels.length)
        for (const label of labels) expect(readLabel(label)).toEqual({ label })
      }),
    )
  })
})
