export type Machine<State, Event> = {
  readonly state: State
  dispatch(event: Event): void
}

/**
 * Runs a pure reducer: reports a changed state, then executes the commands of the event.
 *
 * 1. Events are handled one at a time. An event dispatched by a command or by `onChange` is handled after the current
 *    one.
 * 2. An effect that throws ends its own event only; the next dispatch goes on.
 */
export function runMachine<State, Event, Command>(options: {
  readonly initial: State
  readonly reduce: (state: State, event: Event) => readonly [State, readonly Command[]]
  readonly execute: (command: Command) => void
  readonly onChange: (state: State, before: State) => void
}): Machine<State, Event> {
  const queue: Event[] = []
  let state = options.initial
  let isRunning = false

  function handle(event: Event): void {
    const before = state
    const [next, commands] = options.reduce(before, event)
    state = next
    if (next !== before) options.onChange(next, before)
    for (const command of commands) options.execute(command)
  }

  return {
    get state() {
      return state
    },
    dispatch(event) {
      queue.push(event)
      if (isRunning) return
      isRunning = true
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) handle(next)
      } finally {
        isRunning = false
      }
    },
  }
}
