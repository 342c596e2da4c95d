import { useState } from 'react'
import { signMessage, signTypedData, type Wallet } from '../dapp/actions'
import { OutcomeBox, useOutcome } from './OutcomeBox'

export function SignCard({ wallet }: { readonly wallet: Wallet }) {
  const [message, setMessage] = useState('I was at the side door.')
  const { outcome, busy, run } = useOutcome()
  const able = wallet.account.status === 'connected' && !busy
  return (
    <section className="card" aria-labelledby="sign-title">
      <h2 id="sign-title">Sign</h2>
      <label className="field">
        <span>Message</span>
        <textarea value={message} onChange={(event) => setMessage(event.target.value)} />
      </label>
      <div className="row">
        <button
          type="button"
          className="primary"
          disabled={!able}
          onClick={() => run('Look at your wallet', signMessage(wallet, message))}
        >
          Sign message
        </button>
        <button type="button" disabled={!able} onClick={() => run('Look at your wallet', signTypedData(wallet))}>
          Sign typed data
        </button>
      </div>
      <OutcomeBox outcome={outcome} label="Signature" />
    </section>
  )
}
