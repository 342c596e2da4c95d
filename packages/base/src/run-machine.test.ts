import { expect, it } from 'vitest'
import { runMachine } from './run-machine'

type Event = 'one' | 'two' | 'none'

function start(effects: Partial<Record<Event, () => void>> = {}) {
  const log: string[] = []
  const machine = runMachine<readonly Event[], Event, Event>({
    initial: [],
    reduce: (state, event) => (event === 'none' ? [state, []] : [[...state, event], [event]]),
    carryOut({ before, state, commands }) {
      log.push(before === state ? 'unchanged' : `${before.join()} to ${state.join()}`)
      for (const command of commands) effects[command]?.()
    },
  })
  return { machine, log }
}

it('1. handles an event that a step dispatched after it', () => {
  const { machine, log } = start({ one: () => machine.dispatch('two') })
  machine.dispatch('one')
  expect(log).toEqual([' to one', 'one to one,two'])
  expect(machine.state).toEqual(['one', 'two'])
})

it('says that an event changed nothing', () => {
  const { machine, log } = start()
  machine.dispatch('none')
  expect(log).toEqual(['unchanged'])
})

it('2. goes on after a step that throws', () => {
  const { machine, log } = start({
    one() {
      throw new Error('effect')
    },
  })
  expect(() => machine.dispatch('one')).toThrow('effect')
  machine.dispatch('two')
  expect(log.at(-1)).toBe('one to one,two')
})
