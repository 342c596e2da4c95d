// @vitest-environment happy-dom

import { expect, test } from 'vitest'
import { showPlainAlert } from './plain-alert'

const dialog = () => document.querySelector<HTMLDialogElement>('postern-alert dialog[role=alertdialog]')

test('has one sentence and one button, which closes it and tries again', () => {
  let tries = 0
  showPlainAlert({ document, onRetry: () => tries++ })
  expect(dialog()?.open).toBe(true)
  expect(dialog()?.ariaLabel).toMatch(/^Couldn’t load the wallet\. .* reload the page\. $/)
  dialog()?.querySelector('button')?.click()
  expect([tries, document.querySelector('postern-alert')]).toEqual([1, null])
})

test('is removed by its owner', () => {
  showPlainAlert({ document, onRetry() {} })()
  expect(dialog()).toBeNull()
})
