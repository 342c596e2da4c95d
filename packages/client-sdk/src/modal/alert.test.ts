// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest'
import { failure } from '../errors'
import { alertTexts, oldBrowserText, showAlert } from './alert'

const textOf = (code: 'IFRAME_LOAD_FAILED' | 'DISCONNECTED') => {
  const close = showAlert({ document, error: failure(code), values: {}, mode: 'light', theme: {}, onRetry() {} })
  const shown = document.querySelector('postern-alert')?.shadowRoot?.querySelector('p')?.textContent
  close()
  return shown
}

const browserThatSupports = (answer: boolean) => vi.stubGlobal('CSS', { supports: () => answer })

describe('an alert', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('says that a browser below the supported versions is too old to load the modal', () => {
    browserThatSupports(false)
    expect(textOf('IFRAME_LOAD_FAILED')).toBe(oldBrowserText)
  })

  test('says nothing about the browser otherwise', () => {
    browserThatSupports(true)
    expect(textOf('IFRAME_LOAD_FAILED')).toBe(alertTexts.IFRAME_LOAD_FAILED?.[1])
    browserThatSupports(false)
    expect(textOf('DISCONNECTED')).not.toBe(oldBrowserText)
  })
})
