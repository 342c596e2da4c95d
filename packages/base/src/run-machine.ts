export type Machine<State, Event> = {
  readonly state: State
  dispatch(event: Event): void
}

/** `state` is `before` if nothing changed. */
export type Step<State, Command> = {
  readonly before: State
  readonly state: State
  readonly commands: readonly Command[]
}

/**
 * Runs a pure reducer. `carryOut` runs the commands.
 *
 * 1. Events are handled one at a time. An event that a step dispatches is handled after that step.
 * 2. A step that throws ends only its own event.
 */
export function runMachine<State, Event, Command>(options: {
  readonly initial: State
  readonly reduce: (state: State, event: Event) => readonly [State, readonly Command[]]
  readonly carryOut: (step: Step<State, Command>) => void
}): Machine<State, Event> {
  const queue: Event[] = []
  let state = options.initial
  let isRunning = false

  function handle(event: Event): void {
    const before = state
    const [next, commands] = options.reduce(before, event)
    state = next
    options.carryOut({ before, state, commands })
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
