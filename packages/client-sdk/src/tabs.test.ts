import { expect, test } from 'vitest'
import { followTabs } from './tabs'

/** A window with a count of its listeners; `stored` is what a browser does when another tab wrote. */
function setUp() {
  const target = new EventTarget()
  const listeners = new Set<unknown>()
  const window = {
    addEventListener(name: string, listener: EventListener) {
      listeners.add(listener)
      target.addEventListener(name, listener)
    },
    removeEventListener(name: string, listener: EventListener) {
      listeners.delete(listener)
      target.removeEventListener(name, listener)
    },
  }
  let changes = 0
  const stop = followTabs(window, '@postern/p/', () => changes++)
  const stored = (key: string | null) => target.dispatchEvent(Object.assign(new Event('storage'), { key }))
  return { stop, listeners, stored, changes: () => changes }
}

test('what another tab wrote under the project’s keys is looked at, and so is a storage that was cleared', () => {
  const { stop, stored, changes } = setUp()
  stored('@postern/p/state')
  stored('@postern/other/state')
  stored('somebody’s')
  stored(null)
  expect(changes()).toBe(2)
  stop()
})

test('ended, it leaves no listener and hears nothing', () => {
  const { stop, listeners, stored, changes } = setUp()
  stop()
  stored(null)
  expect([listeners.size, changes()]).toEqual([0, 0])
})
