import { describe, expect, it } from 'vitest'
import { matchLocale } from './match-locale'

const available = ['en', 'de', 'pt', 'pt-BR', 'zh-Hans', 'zh-Hant']
const matches = (...tags: readonly string[]) => tags.map((tag) => matchLocale(tag, available))

describe('matchLocale', () => {
  it('prefers the tag itself to its language, in any case', () => {
    expect(matches('pt-BR', 'PT-br', 'pt-PT', 'DE', 'de-AT')).toEqual(['pt-BR', 'pt-BR', 'pt', 'de', 'de'])
  })

  it.each(['zh', 'ZH', 'zh-CN', 'zh-SG', 'zh-MY', 'zh-Hans', 'zh-hans-cn', 'zh-Hans-HK'])(
    'reads %s as simplified Chinese',
    (tag) => expect(matches(tag)).toEqual(['zh-Hans']),
  )

  it.each(['zh-TW', 'zh-tw', 'zh-HK', 'zh-MO', 'zh-Hant', 'zh-hant-tw', 'zh-Hant-SG'])(
    'reads %s as traditional Chinese',
    (tag) => expect(matches(tag)).toEqual(['zh-Hant']),
  )

  it('ignores variants and extensions, whole or cut off', () => {
    expect(matches('de-CH-1901', 'de-u-nu-latn', 'zh-TW-u-ca-', 'zh-x-')).toEqual(['de', 'de', 'zh-Hant', 'zh-Hans'])
  })

  it('takes an underscore for a hyphen', () => {
    expect(matches('zh_TW', 'zh_CN', 'pt_BR', 'de_AT')).toEqual(['zh-Hant', 'zh-Hans', 'pt-BR', 'de'])
  })

  it.each(['eu', 'eu-ES', '', '-', 'x', 'deutsch'])('has none for "%s"', (tag) =>
    expect(matches(tag)).toEqual([undefined]),
  )
})
