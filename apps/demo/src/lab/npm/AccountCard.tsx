import type { Postern } from '@postern/client'
import { useEffect, useState } from 'react'
import { type AccountView, shortAddress } from '../../dapp/account'
import { connect, disconnect, openAccount, readBalance } from '../../dapp/actions'
import { OutcomeBox } from './OutcomeBox'
import { useOutcome } from './use-outcome'

type Props = { readonly postern: Postern; readonly account: AccountView; readonly words: string }

export function AccountCard({ postern, account, words }: Props) {
  const { outcome, busy, run } = useOutcome()
  const { balance, refresh } = useBalance(postern, account)
  const { status, address, network, networkId, wallet } = account
  const here = status !== 'disconnected'

  return (
    <section className="card wide hero" aria-labelledby="account-title">
      <h1 id="account-title">Connect a wallet with very little code on your page</h1>
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
        {status === 'connected' ? (
          <>
            <button type="button" className="primary" onClick={() => run('Opening', openAccount(postern))}>
              Open account
            </button>
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
        ) : (
          <button
            type="button"
            className="primary"
            disabled={busy}
            onPointerEnter={() => postern.prewarm()}
            onFocus={() => postern.prewarm()}
            onClick={() => run('Waiting for you to choose a wallet', connect(postern))}
          >
            Connect wallet
          </button>
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
