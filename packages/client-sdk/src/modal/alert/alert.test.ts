// @vitest-environment happy-dom

import { afterEach, describe, expect, test, vi } from 'vitest'
import { failure, PosternError } from '../../shared/errors'
import { requestFailure } from '../../shared/failures'
import { emptySnapshot } from '../../state/state'
import type { Theme } from '../../types/index'
import { blockedByPolicy, modalFailure } from '../failures'
import { type AlertOptions, alertTexts, oldBrowserText, showAlert } from './alert'

/** Returns what closes it. */
function show(options: Partial<AlertOptions>): () => void {
  const error = failure('DISCONNECTED')
  const state = { get: () => emptySnapshot }
  const shown = { document, error, values: {}, mode: 'light' as const, theme: {}, state, onRetry() {}, ...options }
  return showAlert(shown)
}

function shown(error: PosternError, values = {}) {
  const close = show({ error, values })
  const root = document.querySelector('postern-alert')?.shadowRoot
  const [title, text] = ['h2', 'p'].map((name) => root?.querySelector(name)?.textContent)
  close()
  return { title, text }
}

const textOf = (code: 'LOAD_FAILED' | 'DISCONNECTED') => shown(failure(code)).text

const browserThatSupports = (answer: boolean) => vi.stubGlobal('CSS', { supports: () => answer })

describe('an alert', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('says that a browser below the supported versions is too old to load the modal', () => {
    browserThatSupports(false)
    expect(textOf('LOAD_FAILED')).toBe(oldBrowserText)
  })

  test('says nothing about the browser otherwise', () => {
    browserThatSupports(true)
    expect(textOf('LOAD_FAILED')).toBe(alertTexts.LOAD_FAILED?.[1])
    browserThatSupports(false)
    expect(textOf('DISCONNECTED')).not.toBe(oldBrowserText)
  })

  test('names the policy of the page that blocks the frame', () => {
    const { code, message } = failure('LOAD_FAILED')
    const error = new PosternError({ code, message, data: blockedByPolicy })
    const { title, text } = shown(error, { host: 'https://modal.example' })
    expect(title).toBe('Invalid App Configuration')
    expect(text).toBe('The page’s Content-Security-Policy does not allow https://modal.example. Add it to frame-src.')
  })

  test('tells a page without an origin what to change', () => {
    const error = modalFailure('ORIGIN_NOT_ALLOWED')
    expect(shown(error, { origin: 'null' }).text).toContain('allow-same-origin')
    expect(shown(error, { origin: 'https://dapp.example' }).text).toContain('https://dapp.example')
  })

  test('names the network that is not configured, as the host says it (spec §8)', () => {
    const message = 'The network atlantis isn’t configured. Add it to networks.'
    const error = new PosternError({ code: 'SWITCH_NETWORK_NOT_FOUND', message, rpc: 4902 })
    expect(shown(error)).toEqual({ title: 'Network Not Found', text: message })
  })

  test('is in the last open dialog of the page, outside of which nothing can be pressed', () => {
    const parentOf = () => {
      const close = show({})
      const parent = document.querySelector('postern-alert')?.parentElement
      close()
      return parent
    }
    expect(parentOf()).toBe(document.documentElement)
    const dialogs = [1, 2, 3].map(() => document.createElement('dialog'))
    document.body.append(...dialogs)
    dialogs[0]?.showModal()
    dialogs[1]?.showModal()
    expect(parentOf()).toBe(dialogs[1])
    for (const dialog of dialogs) dialog.remove()
  })

  test('lies at the z-index of spec §9, or at the theme’s', () => {
    const indexOf = (theme: Theme) => {
      const close = show({ theme })
      const dialog = document.querySelector('postern-alert')?.shadowRoot?.querySelector('div')
      close()
      return dialog?.style.zIndex
    }
    expect(indexOf({})).toBe('999')
    expect(indexOf({ zIndex: 7 })).toBe('7')
  })

  test('names wrong options to the developer, not to the visitor', () => {
    const { code, message } = requestFailure('INVALID_PARAMS')
    const error = new PosternError({ code, message: `${message}: networks: Required; theme.mode: Expected "light"` })
    const told = { title: 'Invalid App Configuration', text: error.message }
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1', 'https://dapp.localhost'])
      expect(shown(error, { origin })).toEqual(told)
    for (const origin of ['https://dapp.example', 'https://localhost.example', 'https://notlocalhost'])
      expect(shown(error, { origin }).text).toBe(message)
    expect(shown(requestFailure('INVALID_PARAMS'), { origin: 'http://localhost:5173' }).text).toBe(message)
  })
})
