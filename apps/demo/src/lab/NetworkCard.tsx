import type { Network, Postern } from '@postern/client'
import { addNetwork, switchNetwork, type Wallet } from '../dapp/actions'
import { addableChain } from '../dapp/config'
import { OutcomeBox, useOutcome } from './OutcomeBox'

type Props = { readonly postern: Postern; readonly wallet: Wallet; readonly networks: readonly Network[] }

export function NetworkCard({ postern, wallet, networks }: Props) {
  const { outcome, busy, run } = useOutcome()
  return (
    <section className="card" aria-labelledby="network-title">
      <h2 id="network-title">Network</h2>
      {networks.length === 0 && <p>The networks appear when the modal has loaded.</p>}
      <ul className="networks">
        {networks.map(({ caipNetworkId, name }) => (
          <li key={caipNetworkId}>
            <button
              type="button"
              aria-pressed={caipNetworkId === wallet.account.networkId}
              disabled={busy}
              onClick={() => run('Switching', switchNetwork(postern, caipNetworkId, name))}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <div className="row">
        <button
          type="button"
          disabled={busy || wallet.account.status !== 'connected'}
          onClick={() => run('Look at your wallet', addNetwork(wallet))}
        >
          Add {addableChain.chainName} to the wallet
        </button>
      </div>
      <OutcomeBox outcome={outcome} label="Network change" />
    </section>
  )
}
