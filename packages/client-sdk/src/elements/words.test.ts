import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { translations, wordsOf } from './words'

test('the buttons have the languages of the modal', () => {
  const catalogues = readdirSync('packages/ui/src/locales').flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? [])
  expect(['en', ...Object.keys(translations)].sort()).toEqual(catalogues.sort())
})

test.each([
  ['de', 'Wallet verbinden'],
  ['de-AT', 'Wallet verbinden'],
  ['PT-br', 'Conectar carteira'],
  ['zh', '连接钱包'],
  ['zh-TW', '連接錢包'],
  ['zh-Hant-HK', '連接錢包'],
])('%s: %s', (locale, connect) => {
  expect(wordsOf(locale)).toMatchObject({ connect })
})

test('another language, and what is no language tag, have no words', () => {
  for (const locale of ['en', 'sw', '', 'x', 'de_DE', '__proto__', 'constructor'])
    expect(wordsOf(locale)).toBeUndefined()
})
