import { useCallback, useState } from 'react'
import { type Action, attempt, type Outcome } from '../dapp/outcome'

export function OutcomeBox({ outcome, label }: { readonly outcome: Outcome; readonly label: string }) {
  return (
    <div className="outcome" role="status" aria-label={label} data-kind={outcome.kind}>
      {outcome.kind !== 'idle' && (
        <>
          <p>{outcome.text}</p>
          {outcome.lines.length > 0 && (
            <dl>
              {outcome.lines.map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
        </>
      )}
    </div>
  )
}

export type RunAction = (waiting: string, action: Action) => Promise<void>

export function useOutcome(): { readonly outcome: Outcome; readonly busy: boolean; readonly run: RunAction } {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'idle' })
  const run = useCallback<RunAction>((waiting, action) => attempt(setOutcome, waiting, action), [])
  return { outcome, busy: outcome.kind === 'busy', run }
}
