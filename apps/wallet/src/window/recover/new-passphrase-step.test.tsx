// @vitest-environment happy-dom

import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Meter } from '../passphrase/strength'
import { NewPassphraseStep } from './new-passphrase-step'

let endLoading = (_: Meter): void => undefined
const loadMeter = vi.fn(() => new Promise<Meter>((resolve) => (endLoading = resolve)))
vi.mock('../passphrase/strength', () => ({ loadMeter: () => loadMeter() }))

const findSubmit = () => document.querySelector<HTMLButtonElement>('button[type=submit]')

it('takes no passphrase while the lists load', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const onSubmit = vi.fn()
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => {
    root.unmount()
    document.body.replaceChildren()
    vi.unstubAllGlobals()
  })
  root.render(<NewPassphraseStep onSubmit={onSubmit} onBack={() => undefined} />)
  const button = await vi.waitUntil(findSubmit, { timeout: 15_000 })
  for (const input of document.querySelectorAll('input')) input.value = 'violet harbor Tuesday magnet'
  expect(button.getAttribute('aria-busy')).toBe('true')
  button.click()
  await expect.poll(() => loadMeter).toHaveBeenCalled()
  expect(onSubmit).not.toHaveBeenCalled()

  endLoading({ strengthOf: () => ({ kind: 'fair' }), suggestPassphrase: () => '' })
  await expect.poll(() => button.getAttribute('aria-busy')).toBeNull()
  expect(onSubmit).not.toHaveBeenCalled()
  button.click()
  await expect.poll(() => onSubmit).toHaveBeenCalledWith('violet harbor Tuesday magnet')
})
