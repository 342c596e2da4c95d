import type { WalletControls } from '@postern/devnet/extension-wallets'
import { useEffect, useState } from 'react'
import { accountNumbers, addWallet, devnetWallets, missingWallets, moreWalletWords } from '../dapp/devnet-wallets'

/** Renders nothing outside development. */
export function WalletsCard() {
  const [wallets, setWallets] = useState<readonly WalletControls[]>([])
  useEffect(() => setWallets(devnetWallets(window)), [])
  if (wallets.length === 0) return null
  const missing = missingWallets(window)
  return (
    <section className="card wide" aria-labelledby="wallets-title">
      <h2 id="wallets-title">Your devnet wallets</h2>
      <p>They replace browser extensions. Their keys are public and their money is play money.</p>
      {wallets.map((wallet) => (
        <WalletPanel key={wallet.name} wallet={wallet} />
      ))}
      {missing.length > 0 && (
        <div className="row">
          {missing.map((wallet) => (
            <button key={wallet} type="button" onClick={() => setWallets(addWallet(window, wallet))}>
              Add {moreWalletWords[wallet]}
            </button>
          ))}
        </div>
      )}
    </section>
  )
}

function WalletPanel({ wallet }: { readonly wallet: WalletControls }) {
  const [state, setState] = useState(() => wallet.snapshot())
  useEffect(() => {
    const show = () => setState(wallet.snapshot())
    show()
    return wallet.subscribe(show)
  }, [wallet])
  if (state.vanished) return <p>{wallet.name} has been removed. Reload the page to bring it back.</p>
  return (
    <fieldset className="wallet">
      <legend>{wallet.name}</legend>
      <label className="field">
        <span>Account</span>
        <select value={state.account} onChange={(event) => wallet.switchAccount(Number(event.target.value))}>
          {accountNumbers.map((number) => (
            <option key={number} value={number}>
              Account {number}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Network</span>
        <select value={state.chain} onChange={(event) => wallet.switchChain(event.target.value)}>
          {state.chains.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={state.autoApprove}
          onChange={(event) => wallet.setAutoApprove(event.target.checked)}
        />
        Approve everything
      </label>
      <button type="button" onClick={() => (state.locked ? wallet.unlock() : wallet.lock())}>
        {state.locked ? 'Unlock' : 'Lock'}
      </button>
      <button type="button" className="bad" onClick={() => wallet.vanish()}>
        Remove
      </button>
    </fieldset>
  )
}
