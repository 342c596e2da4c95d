import type { Outcome } from '../dapp/outcome'

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
