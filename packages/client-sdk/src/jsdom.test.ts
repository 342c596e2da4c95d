// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { attributes, parts } from '../scripts/custom-elements'
import { defineElements } from './elements/index'

beforeEach(() => {
  vi.stubGlobal('__POSTERN_VERSION__', '0.0.0')
  vi.stubGlobal('__POSTERN_HOST__', 'https://modal.example')
})
afterEach(async () => {
  // Instances load the modal's code, which must not outlive the test.
  await vi.dynamicImportSettled()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

describe('in jsdom, which has neither matchMedia nor constructed style sheets', () => {
  test('an instance starts, follows its theme and ends', async () => {
    expect(window.matchMedia).toBeUndefined()
    const { createPostern } = await import('./index')
    const postern = createPostern({ projectId: 'jsdom', networks: ['ethereum', 'solana'] })
    postern.setTheme({ mode: 'dark' })
    expect(postern.getSnapshot()).toMatchObject({ phase: 'idle', connections: {} })
    postern.destroy()
  })

  test('accounts are empty, without a frame', async () => {
    const { createPostern } = await import('./index')
    const postern = createPostern({ projectId: 'jsdom', networks: ['ethereum'] })
    expect(await postern.eip155.request({ method: 'eth_accounts' })).toEqual([])
    expect(document.querySelector('postern-frame')).toBeNull()
    postern.destroy()
  })

  test('the elements render', () => {
    defineElements(window)
    const element = document.createElement('postern-button')
    element.setAttribute('label', 'Join')
    document.body.replaceChildren(element)
    expect(element.shadowRoot?.querySelector('button')?.textContent).toBe('Join')
  })

  test('the elements have the attributes and parts that their manifest names', () => {
    defineElements(window)
    const element = document.createElement('postern-button')
    const read = vi.spyOn(element, 'getAttribute')
    document.body.replaceChildren(element)
    element.shadowRoot?.querySelector('button')?.removeAttribute('disabled')
    element.shadowRoot?.querySelector('button')?.click()
    const known = new Set([...read.mock.calls.map(([name]) => name), 'disabled', 'size', 'name', 'avatar', 'balance'])
    expect(attributes.map(({ name }) => name).sort()).toEqual([...known].sort())
    const found = [...(element.shadowRoot?.querySelectorAll('[part]') ?? [])].map((each) => each.getAttribute('part'))
    expect(found.sort()).toEqual([...parts].sort())
  })

  test('an element follows theme and language before there is a frame, and when they change', async () => {
    const { createPostern } = await import('./index')
    const theme = { mode: 'dark', accent: 'rebeccapurple', radius: 0.5 } as const
    const postern = createPostern({ projectId: 'jsdom', networks: ['ethereum'], locale: 'de-AT', theme })
    defineElements(window)
    const element = document.createElement('postern-button')
    document.body.replaceChildren(element)
    const button = element.shadowRoot?.querySelector('button')
    expect(button?.dataset.theme).toBe('dark')
    expect(button?.style.getPropertyValue('--pt-accent')).toBe('rebeccapurple')
    expect(button?.style.getPropertyValue('--pt-radius')).toBe('0.5')
    await expect.poll(() => button?.textContent).toBe('Wallet verbinden')
    postern.setOptions({ locale: 'fr' })
    await expect.poll(() => button?.textContent).toBe('Connecter un portefeuille')
    postern.setTheme({ mode: 'light' })
    expect(button?.dataset.theme).toBe('light')
    expect(button?.style.getPropertyValue('--pt-accent')).toBe('')
    postern.setOptions({ locale: 'en' })
    await expect.poll(() => button?.textContent).toBe('Connect wallet')
    postern.destroy()
  })

  test('an element opens for its namespace, connects straight to its wallet, and tells what failed', async () => {
    const { createPostern } = await import('./index')
    const postern = createPostern({ projectId: 'jsdom', networks: ['ethereum'] })
    defineElements(window)
    const element = document.createElement('postern-button')
    element.setAttribute('namespace', 'solana')
    document.body.replaceChildren(element)
    const button = element.shadowRoot?.querySelector('button')
    const open = vi.spyOn(postern, 'open').mockResolvedValue()
    button?.click()
    expect(open.mock.calls).toEqual([[{ namespace: 'solana' }]])
    element.disabled = true
    expect(button?.disabled).toBe(true)
    element.disabled = false
    const error = new Error('declined')
    const connect = vi.spyOn(postern, 'connect').mockRejectedValue(error)
    element.setAttribute('wallet', 'io.rabbit')
    const failed = new Promise<unknown>((resolve) =>
      document.body.addEventListener('postern-error', ({ detail }) => resolve(detail), { once: true }),
    )
    button?.click()
    expect(await failed).toBe(error)
    expect(connect.mock.calls).toEqual([[{ wallet: 'io.rabbit', namespace: 'solana' }]])
    postern.destroy()
  })
})
