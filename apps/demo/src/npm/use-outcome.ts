import { useCallback, useState } from 'react'
import { attempt, type Deed, type Outcome } from '../dapp/outcome'

export type RunDeed = (waiting: string, deed: Deed) => Promise<void>

export function useOutcome(): { readonly outcome: Outcome; readonly busy: boolean; readonly run: RunDeed } {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'idle' })
  const run = useCallback<RunDeed>((waiting, deed) => attempt(setOutcome, waiting, deed), [])
  return { outcome, busy: outcome.kind === 'busy', run }
}
