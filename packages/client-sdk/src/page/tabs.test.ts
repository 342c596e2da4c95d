import { expect, test } from 'vitest'
import { followTabs } from './tabs'

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

test('reacts to another tab’s writes under the project’s keys, and to cleared storage', () => {
  const { stop, stored, changes } = setUp()
  stored('@postern/p/state')
  stored('@postern/other/state')
  stored('not ours')
  stored(null)
  expect(changes()).toBe(2)
  stop()
})

test('leaves no listener after it has ended', () => {
  const { stop, listeners, stored, changes } = setUp()
  stop()
  stored(null)
  expect([listeners.size, changes()]).toEqual([0, 0])
})
