import { expect, test } from 'vitest'
import { openTabs } from './tabs'

/** A window with real channels and a count of its listeners; `stored` is what a browser does when another tab wrote. */
function setUp() {
  const target = new EventTarget()
  const listeners = new Set<unknown>()
  const window = {
    BroadcastChannel,
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
  let told = () => {}
  const next = () => new Promise<void>((resolve) => (told = resolve))
  const tabs = openTabs(window, '@postern/p/', () => {
    changes++
    told()
  })
  const stored = (key: string | null) => target.dispatchEvent(Object.assign(new Event('storage'), { key }))
  return { tabs, listeners, stored, next, changes: () => changes }
}

test('another tab of the dapp hears that a session changed, and the one that says so does not', async () => {
  const [one, other] = [setUp(), setUp()]
  const heard = other.next()
  one.tabs.tell()
  await heard
  expect([one.changes(), other.changes()]).toEqual([0, 1])
  one.tabs.close()
  other.tabs.close()
})

test('what another tab wrote under the project’s keys is looked at, and so is a storage that was cleared', () => {
  const { tabs, stored, changes } = setUp()
  stored('@postern/p/state')
  stored('@postern/other/state')
  stored('somebody’s')
  stored(null)
  expect(changes()).toBe(2)
  tabs.close()
})

test('closed, it leaves no listener and hears nothing', () => {
  const { tabs, listeners, stored, changes } = setUp()
  tabs.close()
  stored(null)
  expect([listeners.size, changes()]).toEqual([0, 0])
})

test('where channels are denied, what was written is still looked at', () => {
  const target = new EventTarget()
  let changes = 0
  const window = {
    get BroadcastChannel(): typeof BroadcastChannel {
      throw new DOMException('Denied', 'SecurityError')
    },
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  }
  const tabs = openTabs(window, '@postern/p/', () => changes++)
  tabs.tell()
  target.dispatchEvent(Object.assign(new Event('storage'), { key: '@postern/p/state' }))
  expect(changes).toBe(1)
  tabs.close()
})
