import { expect, test } from 'vitest'
import { createChannel } from './channel'

function openTab() {
  const opened: string[] = []
  let changes = 0
  let told = () => {}
  const next = () => new Promise<void>((resolve) => (told = resolve))
  class Counted extends BroadcastChannel {
    constructor(name: string) {
      super(name)
      opened.push(name)
    }
  }
  const channel = createChannel({ BroadcastChannel: Counted }, '@postern/p/', () => {
    changes++
    told()
  })
  return { channel, opened, next, changes: () => changes }
}

test('1: other tabs hear that a session changed, and the sender does not', async () => {
  const [one, other] = [openTab(), openTab()]
  other.channel.listen()
  const heard = other.next()
  one.channel.notify()
  await heard
  expect([one.changes(), other.changes()]).toEqual([0, 1])
  one.channel.close()
  other.channel.close()
})

test('1: the channel opens once, on first use', () => {
  const { channel, opened } = openTab()
  expect(opened).toEqual([])
  channel.listen()
  channel.notify()
  expect(opened).toEqual(['@postern/p/'])
  channel.close()
})

test('1: closing an unused channel sends nothing', () => {
  const { channel, opened } = openTab()
  channel.close()
  expect(opened).toEqual([])
})

test('2: does not throw if channels are denied', () => {
  const window = {
    get BroadcastChannel(): typeof BroadcastChannel {
      throw new DOMException('Denied', 'SecurityError')
    },
  }
  const channel = createChannel(window, '@postern/p/', () => {})
  channel.listen()
  channel.notify()
  channel.close()
})
