// @vitest-environment happy-dom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { arrival, connected, mount, title } from './testing/mount-app'

const network = vi.hoisted(() => ({ answer: async (): Promise<void> => undefined }))
vi.mock('./later-views', async (original) => {
  await network.answer()
  return original()
})
vi.hoisted(() => {
  network.answer = () => Promise.reject(new Error('Failed to fetch dynamically imported module'))
})

it('names a feature’s view however late its name comes, and gives whoever was on "Loading" the name', async () => {
  let arrive = () => {}
  network.answer = () =>
    new Promise((resolve) => {
      arrive = resolve
    })
  await mount({ open: true, opening: { key: 1, view: 'Receive' }, connections: { eip155: connected } })
  await arrival(() => expect(title()).toBe('Loading'))
  const before = document.activeElement
  expect(before?.textContent).toBe('Loading')
  // The view's own code may be there long before.
  await act(() => import('../features/receive/Receive'))
  await act(async () => arrive())
  await arrival(() => expect(title()).toBe('Receive'))
  await arrival(() => expect(document.activeElement?.textContent).toBe('Receive'))
  expect(document.activeElement).not.toBe(before)
})
