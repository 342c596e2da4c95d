import type { Postern } from '@postern/client'
import { diagnose } from '../dapp/actions'
import { OutcomeBox, useOutcome } from './OutcomeBox'

export function DiagnoseCard({ postern }: { readonly postern: Postern }) {
  const { outcome, busy, run } = useOutcome()
  return (
    <section className="card" aria-labelledby="diagnose-title">
      <h2 id="diagnose-title">Diagnose</h2>
      <p>Checks everything that the modal needs on this page.</p>
      <div className="row">
        <button type="button" disabled={busy} onClick={() => run('Checking', diagnose(postern))}>
          Run diagnosis
        </button>
      </div>
      <OutcomeBox outcome={outcome} label="Diagnosis" />
    </section>
  )
}
