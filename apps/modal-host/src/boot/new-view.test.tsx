// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { arrival, connected, mount, press, text, title } from './testing/mount-app'

vi.mock('../views/registry', async (original) => {
  const { views } = await original<typeof import('../views/registry')>()
  return { views: { ...views, Weather: { load: async () => ({ default: () => <p>Sunny</p> }) } } }
})
vi.mock('@postern/ui/locales/en.json', async (original) => {
  const { default: english } = await original<{ default: object }>()
  return { default: { ...english, 'title.Weather': 'Weather' } }
})

it('shows a new view that has no more than a component, a row in the registry and a title in the catalogue', async () => {
  const { open, set } = await mount({ connections: { eip155: connected } })
  await set({ open: true, opening: JSON.parse('{ "key": 1, "view": "Weather" }') })
  await arrival(() => expect(text()).toContain('Sunny'))
  expect(title()).toBe('Weather')
  await press('Close')
  await open('Networks')
  await arrival(() => expect(title()).toBe('Choose network'))
})
