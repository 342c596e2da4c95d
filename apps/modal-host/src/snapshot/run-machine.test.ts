import { describe, expect, it } from 'vitest'
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
    onChange: (state, before) => log.push(`${before.join()} to ${state.join()}`),
  })
  return { machine, log }
}

describe('runMachine', () => {
  it('reports the state before it executes the commands', () => {
    const { machine, log } = start()
    machine.dispatch('one')
    expect(log).toEqual([' to one', 'execute one'])
  })

  it('1. handles an event that an effect dispatched after the current one', () => {
    const { machine, log } = start({ one: () => machine.dispatch('two') })
    machine.dispatch('one')
    expect(log).toEqual([' to one', 'execute one', 'one to one,two', 'execute two'])
  })

  it('does not report an event that changes nothing', () => {
    const { machine, log } = start()
    machine.dispatch('none')
    expect(log).toEqual([])
  })

  it('2. goes on after an effect that throws', () => {
    const { machine, log } = start({
      one() {
        throw new Error('effect')
      },
    })
    expect(() => machine.dispatch('one')).toThrow('effect')
    machine.dispatch('two')
    expect(log.at(-1)).toBe('execute two')
  })
})
