import { expect, it } from 'vitest'
import type { ConnectorEvent } from './connector'
import { keepEvents } from './kept-events'

function setUp() {
  const listeners = new Set<(event: ConnectorEvent) => void>()
  const events = keepEvents({
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })
  const emit = (event: ConnectorEvent) => {
    for (const listener of [...listeners]) listener(event)
  }
  return { events, emit, listeners }
}

const network: ConnectorEvent = { kind: 'network', networkId: 'eip155:1' }
const accounts: ConnectorEvent = { kind: 'accounts', accounts: [] }
const end: ConnectorEvent = { kind: 'disconnected' }

it('delivers the events so far once, in order, then the later ones', () => {
  const { events, emit, listeners } = setUp()
  const heard: ConnectorEvent[] = []
  emit(network)
  emit(accounts)
  const stop = events.deliver((event) => heard.push(event))
  emit(end)
  expect(heard).toEqual([network, accounts, end])
  stop()
  emit(end)
  expect([heard.length, listeners.size]).toEqual([3, 0])
})

it('delivers nothing after it was dropped, also by an event', () => {
  const { events, emit, listeners } = setUp()
  const heard: ConnectorEvent[] = []
  emit(end)
  emit(network)
  events.deliver((event) => {
    heard.push(event)
    events.drop()
  })
  expect([heard, listeners.size]).toEqual([[end], 0])
})
