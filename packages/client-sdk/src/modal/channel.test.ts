import { expect, test } from 'vitest'
import { createChannel } from './channel'

/** A tab with real channels, which counts those it opened and what it heard. */
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

test('1: another tab that listens hears that a session changed, and the one that says so does not', async () => {
  const [one, other] = [openTab(), openTab()]
  other.channel.listen()
  const heard = other.next()
  one.channel.tell()
  await heard
  expect([one.changes(), other.changes()]).toEqual([0, 1])
  one.channel.close()
  other.channel.close()
})

test('1: it is opened when it is first of use, and once', () => {
  const { channel, opened } = openTab()
  expect(opened).toEqual([])
  channel.listen()
  channel.tell()
  expect(opened).toEqual(['@postern/p/'])
  channel.close()
})

test('1: one that was never of use is closed without a word', () => {
  const { channel, opened } = openTab()
  channel.close()
  expect(opened).toEqual([])
})

test('2: where channels are denied nothing is thrown', () => {
  const window = {
    get BroadcastChannel(): typeof BroadcastChannel {
      throw new DOMException('Denied', 'SecurityError')
    },
  }
  const channel = createChannel(window, '@postern/p/', () => {})
  channel.listen()
  channel.tell()
  channel.close()
})
