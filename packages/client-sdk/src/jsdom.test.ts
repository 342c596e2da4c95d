// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineElements } from './elements/define'

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
})
