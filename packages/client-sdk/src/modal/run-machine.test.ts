import { expect, test } from 'vitest'
import { runMachine } from './run-machine'

type Event = 'one' | 'two' | 'none'

function start(effects: Partial<Record<Event, () => void>> = {}) {
  const log: string[] = []
  const machine = runMachine<readonly Event[], Event, Event>({
    initial: [],
    reduce: (state, event) => (event === 'none' ? [state, []] : [[...state, event], [event]]),
    execute(command) {
      log.push(`execute ${command}`)
      effects[command]?.()
    },
    onChange: () => log.push(`changed to ${machine.state.join()}`),
  })
  return { machine, log }
}

test('1. an event dispatched by an effect is handled after the current one', () => {
  const { machine, log } = start({ one: () => machine.dispatch('two') })
  machine.dispatch('one')
  expect(log).toEqual(['execute one', 'changed to one', 'execute two', 'changed to one,two'])
})

test('1. an event that changes nothing is not reported', () => {
  const { machine, log } = start()
  machine.dispatch('none')
  expect(log).toEqual([])
})

test('2. an effect that throws does not stop later events', () => {
  const { machine, log } = start({
    one() {
      throw new Error('effect')
    },
  })
  expect(() => machine.dispatch('one')).toThrow('effect')
  machine.dispatch('two')
  expect(log.at(-1)).toBe('changed to one,two')
})
