import { wordlist } from '@scure/bip39/wordlists/english'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listLoaders, listTimeoutMs, loadLists } from './lists'
import { createMeter, loadMeter } from './strength'

const english = await loadMeter(['en-GB'])
const german = await loadMeter(['de-AT', 'en'])
const missing = await loadLists(['en'], { en: () => Promise.reject(new Error('offline')) })

describe('the strength of a passphrase', () => {
  it.each([
    ['', { kind: 'short', missing: 12 }],
    ['elevenchars', { kind: 'short', missing: 1 }],
    ['aaaaaaaaaaaaaaaa', { kind: 'weak' }],
    ['123456789012345', { kind: 'weak' }],
    ['abcdefghijklmnopq', { kind: 'weak' }],
    ['ababababababab', { kind: 'weak' }],
    ['--------------------', { kind: 'weak' }],
    ['cosmic otter velvet', { kind: 'weak' }],
    ['my wallet passphrase', { kind: 'weak' }],
    ['violet harbor Tuesday magnet', { kind: 'fair' }],
    ['nine Lamps under the quiet harbour', { kind: 'strong' }],
    ['violet harbor magnet carpet window', { kind: 'strong' }],
    ['🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔', { kind: 'short', missing: 1 }],
  ])('“%s” is %o', (passphrase, strength) => {
    expect(english.strengthOf(passphrase)).toEqual(strength)
  })

  it.each(['Password!2024', 'qwertyuiop12', 'Summer2026!!!', 'ilovebitcoin', 'Liverpool2019', 'hunter2hunter2'])(
    '“%s”, which character classes call fair, is weak',
    (passphrase) => {
      expect(english.strengthOf(passphrase)).toEqual({ kind: 'weak' })
    },
  )

  it.each([
    'GameofThrones2011',
    'Game of Thrones 2011',
    'correcthorsebatterystaple',
    'correct horse battery staple',
    'Butterflies-1998',
    'Skyscraper2024',
  ])('1. “%s” is weak: its words are listed', (passphrase) => {
    expect(english.strengthOf(passphrase)).toEqual({ kind: 'weak' })
  })

  it.each([
    'Schmetterling2024',
    'Kartoffelsalat1',
    'Kartoffelsalat 2024',
    'donaudampfschiff',
    'IchLiebeDich2024',
    'Geburtstagskuchen',
    'GameofThrones2011',
  ])('1. “%s” is weak in a browser in German', (passphrase) => {
    expect(german.strengthOf(passphrase)).toEqual({ kind: 'weak' })
  })

  it.each(['ichliebedichsosehr', 'ich liebe dich so sehr', 'to be or not to be'])(
    '1. “%s” is not strong in a browser in German',
    (passphrase) => {
      expect(german.strengthOf(passphrase).kind).not.toBe('strong')
    },
  )

  it.each([
    ['es-MX', 'Electrodomésticos2024'],
    ['fr', 'Anticonstitutionnel2024'],
    ['id', 'Penyelenggaraan2024'],
    ['it', 'Appuntamento2024'],
    ['nl', 'Verantwoordelijkheid2024'],
    ['pl', 'Odpowiedzialność2024'],
    ['pt-PT', 'Responsabilidade2024'],
  ])('1. in %s, “%s” is weak', async (language, passphrase) => {
    expect((await loadMeter([language])).strengthOf(passphrase)).toEqual({ kind: 'weak' })
  })

  it.each([
    'Schmetterling2024',
    'Kartoffelsalat1',
    'GameofThrones2011',
    'correcthorsebatterystaple',
    'my wallet passphrase',
    'donaudampfschiff',
    'ichliebedichsosehr',
    'Donaudampfschiff2024',
    'thequickbrownfoxjumps',
    'violet harbor Tuesday magnet',
  ])('2. “%s” is weak without lists', (passphrase) => {
    expect(createMeter(missing).strengthOf(passphrase)).toEqual({ kind: 'weak' })
  })
})

describe('3. the suggested passphrase', () => {
  it.each([
    ['English', english],
    ['German', german],
    ['no language', createMeter(missing)],
  ])(
    'has six words that differ each time, and is strong by the lists of %s',
    (_, { strengthOf, suggestPassphrase }) => {
      const suggested = Array.from({ length: 20 }, suggestPassphrase)
      expect(new Set(suggested).size).toBe(20)
      for (const passphrase of suggested) {
        const words = passphrase.split(' ')
        expect(words).toHaveLength(6)
        expect(words.every((word) => wordlist.includes(word))).toBe(true)
        expect(strengthOf(passphrase)).toEqual({ kind: 'strong' })
      }
    },
  )
})

describe('the lists of words', () => {
  const list = (word: string) => async () => ({ dictionary: { words: [word] } })
  const loaders = { en: list('harbour'), de: list('Hafen'), fr: list('port'), pt: list('porto') }
  afterEach(() => vi.useRealTimers())

  it.each(Object.keys(listLoaders))('has words of %s, and zxcvbn takes them', async (language) => {
    const lists = await loadLists([language])
    expect(lists.isComplete).toBe(true)
    expect(Object.keys(lists.dictionary).some((name) => name.endsWith(`-${language}`))).toBe(true)
    expect(createMeter(lists).strengthOf('aaaaaaaaaaaaaaaa')).toEqual({ kind: 'weak' })
  })

  it('are those of English and of the first two languages of the browser that have one, side by side', async () => {
    expect(await loadLists(['ko', 'pt-PT', 'en', 'de-CH', 'fr'], loaders)).toEqual({
      dictionary: { 'words-en': ['harbour'], 'words-pt': ['porto'], 'words-de': ['Hafen'] },
      isComplete: true,
    })
  })

  it('2. are incomplete if one does not load', async () => {
    const failing = { ...loaders, de: () => Promise.reject(new Error('offline')) }
    expect(await loadLists(['de'], failing)).toEqual({ dictionary: { 'words-en': ['harbour'] }, isComplete: false })
  })

  it('2. are incomplete if one does not load in time', async () => {
    vi.useFakeTimers()
    const loading = loadLists(['de'], { ...loaders, de: () => new Promise(() => undefined) })
    await vi.advanceTimersByTimeAsync(listTimeoutMs)
    expect(await loading).toEqual({ dictionary: { 'words-en': ['harbour'] }, isComplete: false })
  })
})
