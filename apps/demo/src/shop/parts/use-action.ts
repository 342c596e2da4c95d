import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

export type ActionState =
  | { readonly kind: 'idle' | 'busy' | 'done' }
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly message: string }

/** Runs one thing at a time, and reads everything again afterwards. */
export function useAction(): {
  readonly state: ActionState
  readonly run: (act: () => Promise<unknown>) => Promise<void>
} {
  const queries = useQueryClient()
  const [state, setState] = useState<ActionState>({ kind: 'idle' })
  async function run(act: () => Promise<unknown>): Promise<void> {
    if (state.kind === 'busy') return
    setState({ kind: 'busy' })
    try {
      await act()
      await queries.invalidateQueries()
      setState({ kind: 'done' })
    } catch (thrown) {
      setState(failureOf(thrown))
    }
  }
  return { state, run }
}

/** `left`: the user declined or closed the modal. */
function failureOf(thrown: unknown): ActionState {
  const { code, message } = Object(thrown)
  if (code === 'USER_REJECTED' || code === 4001) return { kind: 'left' }
  return { kind: 'failed', message: typeof message === 'string' && message !== '' ? message : 'Something went wrong.' }
}
