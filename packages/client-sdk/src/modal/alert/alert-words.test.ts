// @vitest-environment happy-dom
import { afterEach, describe, expect, test } from 'vitest'
import { translations as buttons } from '../../elements/words'
import { failure, type PosternError } from '../../shared/errors'
import { emptySnapshot } from '../../state/state'
import { modalFailure } from '../failures'
import { alertTexts, oldBrowserText, showAlert } from './alert'
import { english, translations } from './alert-words'

async function shown(error: PosternError, locale?: string) {
  const values = { host: 'https://modal.example', origin: 'https://dapp.example' }
  const state = { get: () => ({ ...emptySnapshot, locale }) }
  const close = showAlert({ document, error, values, mode: 'light', theme: {}, state, onRetry() {} })
  await import('./alert-words')
  const root = document.querySelector('postern-alert')?.shadowRoot
  const said = [...(root?.querySelectorAll('h2,p,button') ?? [])].map(({ textContent }) => textContent)
  close()
  return said
}

afterEach(() => {
  document.documentElement.lang = ''
})

describe('the words of the alert', () => {
  test('are those that it shows in English', () => {
    expect(english).toEqual([alertTexts.LOAD_FAILED?.[1], oldBrowserText, 'Try again', 'Dismiss'])
  })

  test('are in the languages of the buttons, with all placeholders', () => {
    expect(Object.keys(translations)).toEqual(Object.keys(buttons))
    for (const [language, texts] of Object.entries(translations)) {
      for (const [index, text] of texts.entries()) {
        const names = (from: string | undefined) => from?.match(/\{\w+\}/g)
        expect(names(text), `${language}: ${text}`).toEqual(names(english[index]))
        expect(text).not.toBe(english[index])
      }
    }
  })

  test('follow the dapp, then the page; the title of the specification stays', async () => {
    const error = failure('LOAD_FAILED')
    const german = [
      'Network Error - Could not load embedded wallet',
      'Die Wallet konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und ob die Richtlinie der Seite, ein Skript oder eine Erweiterung https://modal.example blockiert.',
      'Erneut versuchen',
      'Ausblenden',
    ]
    expect(await shown(error, 'de-AT')).toEqual(german)
    document.documentElement.lang = 'de'
    expect(await shown(error)).toEqual(german)
    expect((await shown(error, 'en'))[2]).toBe('Try again')
    expect((await shown(error, 'zh-TW'))[2]).toBe('再試一次')
  })

  test('leave what is for developers, and a language without words', async () => {
    expect((await shown(modalFailure('ORIGIN_NOT_ALLOWED'), 'de'))[1]).toContain('https://dapp.example is not on the')
    expect((await shown(failure('DISCONNECTED'), 'tlh'))[2]).toBe('Try again')
    expect((await shown(failure('DISCONNECTED'), 'not a locale'))[2]).toBe('Try again')
  })
})
