import { useCallback, useState } from 'react'
import { type Action, attempt, type Outcome } from '../dapp/outcome'

export type RunAction = (waiting: string, action: Action) => Promise<void>

export function useOutcome(): { readonly outcome: Outcome; readonly busy: boolean; readonly run: RunAction } {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'idle' })
  const run = useCallback<RunAction>((waiting, action) => attempt(setOutcome, waiting, action), [])
  return { outcome, busy: outcome.kind === 'busy', run }
}
