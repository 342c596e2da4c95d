import type { Postern } from '@postern/client'
import { useEffect, useState } from 'react'
import { type AccountView, shortAddress } from '../dapp/account'
import { connect, disconnect, openAccount, readBalance } from '../dapp/actions'
import { OutcomeBox, useOutcome } from './OutcomeBox'

/** How the page loads Postern. */
export type Entry = 'npm' | 'script tag'

type Props = {
  readonly entry: Entry
  readonly postern: Postern
  readonly account: AccountView
  readonly words: string
}

const titles: Readonly<Record<Entry, string>> = {
  npm: 'Connect a wallet with very little code on your page',
  'script tag': 'Connect a wallet with one script tag',
}

export function AccountCard({ entry, postern, account, words }: Props) {
  const { outcome, busy, run } = useOutcome()
  const { balance, refresh } = useBalance(postern, account)
  const { status, address, network, networkId, wallet } = account
  const here = status !== 'disconnected'
  const connected = status === 'connected'

  return (
    <section className="card wide hero" aria-labelledby="account-title">
      <h1 id="account-title">{titles[entry]}</h1>
      <dl className="facts">
        <div>
          <dt>Status</dt>
          <dd className="status" data-status={status}>
            {words}
          </dd>
        </div>
        {here && (
          <>
            <div>
              <dt>Account</dt>
              <dd title={address ?? undefined}>{address === null ? '–' : shortAddress(address)}</dd>
            </div>
            <div>
              <dt>Wallet</dt>
              <dd>{wallet ?? '–'}</dd>
            </div>
            <div>
              <dt>Balance</dt>
              <dd>{balance ?? '–'}</dd>
            </div>
          </>
        )}
        <div>
          <dt>Network</dt>
          <dd>{network?.name ?? networkId ?? '–'}</dd>
        </div>
      </dl>
      <div className="row">
        {entry === 'script tag' ? (
          <>
            <postern-button />
            <postern-network-button />
          </>
        ) : (
          <button
            type="button"
            className="primary"
            disabled={busy}
            onPointerEnter={() => postern.prewarm()}
            onFocus={() => postern.prewarm()}
            onClick={() =>
              connected
                ? run('Opening', openAccount(postern))
                : run('Waiting for you to choose a wallet', connect(postern))
            }
          >
            {connected ? 'Open account' : 'Connect wallet'}
          </button>
        )}
        {connected && (
          <>
            <button type="button" onClick={refresh}>
              Refresh balance
            </button>
            <button
              type="button"
              className="bad"
              disabled={busy}
              onClick={() => run('Disconnecting', disconnect(postern))}
            >
              Disconnect
            </button>
          </>
        )}
      </div>
      <OutcomeBox outcome={outcome} label="Connection" />
    </section>
  )
}

function useBalance(postern: Postern, account: AccountView) {
  const { status, address, network } = account
  const [balance, setBalance] = useState<string | null>(null)
  const [requestCount, setAsked] = useState(0)
  useEffect(() => {
    setBalance(null)
    if (status !== 'connected' || requestCount < 0) return
    let wanted = true
    const view = { status, address, network, networkId: null, wallet: null }
    void readBalance({ provider: postern.eip155, account: view }).then((text) => {
      if (wanted) setBalance(text)
    })
    return () => {
      wanted = false
    }
  }, [postern, status, address, network, requestCount])
  return { balance, refresh: () => setAsked((count) => count + 1) }
}
