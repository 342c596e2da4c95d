import { useLayoutEffect, useReducer, useState } from 'react'

export type Machine<Given, State, Event, Actions> = {
  readonly begin: (given: Given) => State
  readonly reduce: (state: State, event: Event) => State
  readonly createActions: (given: Given, dispatch: (event: Event) => void) => Actions
}

type Startable = { readonly start: () => void }

/** `given` is read once. */
export function useMachine<Given, State, Event, Actions extends Startable>(
  machine: Machine<Given, State, Event, Actions>,
  given: Given,
): readonly [State, Actions] {
  const [state, dispatch] = useReducer(machine.reduce, given, machine.begin)
  const [actions] = useState(() => machine.createActions(given, dispatch))
  // Before the first paint: a flow may fail at once.
  useLayoutEffect(() => actions.start(), [actions])
  return [state, actions]
}
