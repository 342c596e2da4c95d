// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { arrival, mount, press, text, title } from '../testing/mount-app'

const network = vi.hoisted(() => ({ isThere: false }))
vi.mock('../../views/registry', async (original) => {
  if (!network.isThere) throw new Error('Failed to fetch dynamically imported module')
  return original()
})

it('reports views whose code failed to load, and retries', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  await mount({ open: true, opening: { key: 1, view: 'Networks' } })
  await arrival(() => expect(text()).toContain('Couldn’t load this screen'))
  expect(title()).toBe('Loading')
  expect(told).toHaveBeenCalled()
  network.isThere = true
  await press('Try again')
  await arrival(() => expect(title()).toBe('Choose network'))
  expect(text()).not.toContain('Couldn’t load this screen')
  told.mockRestore()
})
