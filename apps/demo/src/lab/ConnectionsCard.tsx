import type { Postern, Snapshot } from '@postern/client'
import { useEffect, useState } from 'react'
import { shortAddress, statusWords } from '../dapp/account'
import { disconnect } from '../dapp/actions'
import {
  type ConnectionView,
  connectionView,
  connectNamespace,
  disconnectNamespace,
  mainAddress,
  namespaceBalance,
} from '../dapp/connections'
import { namespaceParts, namespaces } from '../dapp/namespaces'
import { OutcomeBox, type RunAction, useOutcome } from './OutcomeBox'

type Props = { readonly postern: Postern; readonly snapshot: Snapshot }

/** Several namespaces can be connected at the same time. */
export function ConnectionsCard({ postern, snapshot }: Props) {
  const { outcome, busy, run } = useOutcome()
  const views = namespaces.map((namespace) => connectionView(snapshot, namespace))
  return (
    <section className="card wide" aria-labelledby="connections-title">
      <h2 id="connections-title">Connections</h2>
      <p>One wallet of each kind, all at the same time.</p>
      <ul className="connections">
        {views.map((view) => (
          <ConnectionLine key={view.namespace} postern={postern} view={view} busy={busy} run={run} />
        ))}
      </ul>
      {views.filter(({ status }) => status === 'connected').length > 1 && (
        <div className="row">
          <button
            type="button"
            className="bad"
            disabled={busy}
            onClick={() => run('Disconnecting', disconnect(postern))}
          >
            Disconnect all
          </button>
        </div>
      )}
      <OutcomeBox outcome={outcome} label="Connections" />
    </section>
  )
}

type LineProps = {
  readonly postern: Postern
  readonly view: ConnectionView
  readonly busy: boolean
  readonly run: RunAction
}

function ConnectionLine({ postern, view, busy, run }: LineProps) {
  const { namespace, status, wallet, accounts, network } = view
  const { name } = namespaceParts[namespace]
  const balance = useNamespaceBalance(postern, view)
  const connected = status === 'connected'
  return (
    <li data-namespace={namespace}>
      <b>{name}</b>
      <span className="status" data-status={status}>
        {statusWords[status]}
      </span>
      <span>{wallet ?? '–'}</span>
      <span>
        {accounts.length === 0 && '–'}
        {accounts.map(({ address, type }) => (
          <span key={address} className="address" title={address}>
            {shortAddress(address)} {type === 'ordinals' && <small>ordinals</small>}
          </span>
        ))}
      </span>
      <span>{network?.name ?? '–'}</span>
      <span>{balance ?? '–'}</span>
      <button
        type="button"
        className={connected ? 'bad' : ''}
        disabled={busy}
        onPointerEnter={() => postern.prewarm()}
        onFocus={() => postern.prewarm()}
        onClick={() =>
          connected
            ? run('Disconnecting', disconnectNamespace(postern, namespace))
            : run('Waiting for you to choose a wallet', connectNamespace(postern, namespace))
        }
      >
        {connected ? `Disconnect ${name}` : `Connect ${name}`}
      </button>
    </li>
  )
}

function useNamespaceBalance(postern: Postern, view: ConnectionView): string | null {
  const [balance, setBalance] = useState<string | null>(null)
  const { namespace, network } = view
  const address = mainAddress(view)
  useEffect(() => {
    let wanted = true
    setBalance(null)
    void namespaceBalance(postern, namespace, address, network).then((text) => {
      if (wanted) setBalance(text)
    })
    return () => {
      wanted = false
    }
  }, [postern, namespace, address, network])
  return balance
}
