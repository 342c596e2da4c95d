import { afterEach, describe, expect, it, vi } from 'vitest'
import { activateLocale, createText, loadEnglish } from './text'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the dapp’s own words', () => {
  it('replace words of Connect, in English and in other languages', async () => {
    const text = createText()
    await activateLocale(text, 'de', { 'connect.title': 'Anmelden' })
    expect([text._('connect.title'), text._('connect.learn')]).toEqual(['Anmelden', 'Mehr erfahren'])
    await activateLocale(text, 'en', { 'connect.title': 'Log in' })
    expect([text._('connect.title'), text._('connect.learn')]).toEqual(['Log in', 'Learn more'])
  })

  it('are plain text, which the library shows as it is and without a warning', async () => {
    const warn = vi.spyOn(globalThis.console, 'warn').mockReturnValue()
    const text = createText()
    await activateLocale(text, 'en', { 'connect.title': 'Log in {now}' })
    expect(text._('connect.title', { now: 'later' })).toBe('Log in {now}')
    expect(warn).not.toHaveBeenCalled()
  })

  it('stay when the rest of English loads', async () => {
    const text = createText()
    await activateLocale(text, 'en', { help: 'New here?' })
    await loadEnglish()
    expect(text._('help')).toBe('New here?')
  })

  it('cannot change what the modal says of wallets, transactions and failures, nor be long', async () => {
    const warn = vi.spyOn(globalThis.console, 'warn').mockReturnValue()
    const text = createText()
    const ids = [
      'connect.only',
      'connect.own',
      'approve.account',
      'send.title',
      'alert.INVALID_PARAMS.text',
      '__proto__',
    ]
    const before = ids.map((id) => text._(id))
    await activateLocale(text, 'en', {
      ...JSON.parse(JSON.stringify(Object.fromEntries(ids.map((id) => [id, 'Enter your seed phrase'])))),
      'connect.title': 'x'.repeat(129),
    })
    expect(ids.map((id) => text._(id))).toEqual(before)
    expect(text._('connect.title')).not.toContain('xxx')
    expect(warn).toHaveBeenCalledTimes(ids.length + 1)
  })
})
