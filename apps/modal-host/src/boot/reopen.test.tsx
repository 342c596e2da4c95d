// @vitest-environment happy-dom
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { arrival, connected, mount, title } from './testing/mount-app'

afterEach(() => void vi.useRealTimers())

it('opens the requested view, also at the moment when the modal returns to its home after a close', async () => {
  const { set, open, store } = await mount({ connections: { eip155: connected } })
  await open('Networks')
  await arrival(() => expect(title()).toBe('Choose network'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await set({ open: false })
  // React draws as in a page.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  vi.advanceTimersByTime(150)
  store.setState({ open: true, opening: { key: 2, view: 'Networks' } })
  vi.useRealTimers()
  await arrival(() => expect(title()).toBe('Choose network'))
  // Time to draw the home view, from which the modal goes on to the requested one.
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  await arrival(() => expect(title()).toBe('Choose network'))
})
