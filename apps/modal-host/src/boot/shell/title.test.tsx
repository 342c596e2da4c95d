// @vitest-environment happy-dom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { arrival, connected, mount, title } from '../testing/mount-app'

const network = vi.hoisted(() => ({ answer: async (): Promise<void> => undefined }))
vi.mock('../../views/registry', async (original) => {
  await network.answer()
  return original()
})
vi.hoisted(() => {
  network.answer = () => Promise.reject(new Error('Failed to fetch dynamically imported module'))
})

it('replaces a feature view’s "Loading" title when its name loads, and moves focus to it', async () => {
  let arrive = () => {}
  network.answer = () =>
    new Promise((resolve) => {
      arrive = resolve
    })
  await mount({ open: true, opening: { key: 1, view: 'Receive' }, connections: { eip155: connected } })
  await arrival(() => expect(title()).toBe('Loading'))
  const before = document.activeElement
  expect(before?.textContent).toBe('Loading')
  await act(() => import('../../features/receive/Receive'))
  await act(async () => arrive())
  await arrival(() => expect(title()).toBe('Receive'))
  await arrival(() => expect(document.activeElement?.textContent).toBe('Receive'))
  expect(document.activeElement).not.toBe(before)
})
