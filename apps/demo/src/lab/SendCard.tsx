import { useState } from 'react'
import { sendTransaction, type Wallet } from '../dapp/actions'
import { neighbours } from '../dapp/config'
import { OutcomeBox, useOutcome } from './OutcomeBox'

export function SendCard({ wallet }: { readonly wallet: Wallet }) {
  const [to, setTo] = useState<string>(neighbours[0].address)
  const [amount, setAmount] = useState('0.01')
  const { outcome, busy, run } = useOutcome()
  return (
    <section className="card" aria-labelledby="send-title">
      <h2 id="send-title">Send</h2>
      <div className="row">
        <label className="field long">
          <span>To</span>
          <input
            value={to}
            list="neighbours"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTo(event.target.value)}
          />
        </label>
        <label className="field">
          <span>Amount in ether</span>
          <input
            value={amount}
            inputMode="decimal"
            autoComplete="off"
            onChange={(event) => setAmount(event.target.value)}
          />
        </label>
        <datalist id="neighbours">
          {neighbours.map(({ name, address }) => (
            <option key={address} value={address}>
              {name}
            </option>
          ))}
        </datalist>
      </div>
      <div className="row">
        <button
          type="button"
          className="primary"
          disabled={wallet.account.status !== 'connected' || busy}
          onClick={() => run('Look at your wallet', sendTransaction(wallet, to.trim(), amount.trim()))}
        >
          Send transaction
        </button>
      </div>
      <OutcomeBox outcome={outcome} label="Transaction" />
    </section>
  )
}
