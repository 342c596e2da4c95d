import type { Postern, Snapshot } from '@postern/client'
import { useId, useState } from 'react'
import type { NamespaceCard as Card, CardField } from '../dapp/cards'
import { connectionView } from '../dapp/connections'
import { namespaces } from '../dapp/namespaces'
import { OutcomeBox, useOutcome } from './OutcomeBox'

type Props = { readonly postern: Postern; readonly snapshot: Snapshot; readonly card: Card }

export function NamespaceCard({ postern, snapshot, card }: Props) {
  const { id, namespace, title, fields, actions } = card
  const [values, setValues] = useState(() => Object.fromEntries(fields.map(({ key, value }) => [key, value])))
  const { outcome, busy, run } = useOutcome()
  const needed = namespace === null ? namespaces : [namespace]
  const able = needed.some((name) => connectionView(snapshot, name).status === 'connected') && !busy
  const change = (key: string, value: string) => setValues((before) => ({ ...before, [key]: value }))
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {fields.map((field) => (
        <Field key={field.key} field={field} value={values[field.key] ?? ''} onChange={change} />
      ))}
      <div className="row">
        {actions.map(({ label, primary, action }) => (
          <button
            key={label}
            type="button"
            className={primary === true ? 'primary' : ''}
            disabled={!able}
            onClick={() => run('Look at your wallet', action(postern, values))}
          >
            {label}
          </button>
        ))}
      </div>
      <OutcomeBox outcome={outcome} label={`${title} result`} />
    </section>
  )
}

type FieldProps = {
  readonly field: CardField
  readonly value: string
  onChange(key: string, value: string): void
}

function Field({ field: { key, label, kind }, value, onChange }: FieldProps) {
  const id = useId()
  return (
    <label htmlFor={id} className={kind === 'long' ? 'field long' : 'field'}>
      <span>{label}</span>
      {kind === 'lines' ? (
        <textarea id={id} value={value} onChange={(event) => onChange(key, event.target.value)} />
      ) : (
        <input
          id={id}
          value={value}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(key, event.target.value)}
        />
      )}
    </label>
  )
}
