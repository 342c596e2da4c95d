import { usePostern } from '@postern/client/react'
import { useEffect, useState } from 'react'
import { accountView } from '../../dapp/account'
import { namespaceCards } from '../../dapp/cards'
import { statusLine } from '../../dapp/connections'
import { watchProvider } from '../../dapp/provider-log'
import type { SignIn } from '../../dapp/sign-in'
import { AccountCard } from './AccountCard'
import { ConnectionsCard } from './ConnectionsCard'
import { DiagnoseCard } from './DiagnoseCard'
import { LogCard } from './LogCard'
import { NamespaceCard } from './NamespaceCard'
import { NetworkCard } from './NetworkCard'
import { SendCard } from './SendCard'
import { SignCard } from './SignCard'
import { SignInCard } from './SignInCard'
import { ThemeChoice } from './ThemeChoice'
import { WalletsCard } from './WalletsCard'

export function App({ signIn }: { readonly signIn: SignIn | null }) {
  const { postern, snapshot } = usePostern()
  const account = accountView(snapshot)
  const wallet = { provider: postern.eip155, account }
  const [log, setLog] = useState<Parameters<Parameters<typeof watchProvider>[2]>[0]>([])
  useEffect(() => watchProvider(postern.eip155, () => new Date(), setLog), [postern])

  return (
    <>
      <header className="bar">
        <p className="brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          Postern lab
        </p>
        <nav aria-label="Pages">
          <a href="/lab" aria-current="page">
            npm and React
          </a>
          <a href="/lab/script.html">Script tag</a>
        </nav>
        <ThemeChoice postern={postern} />
      </header>
      <main>
        <AccountCard postern={postern} account={account} words={statusLine(snapshot)} />
        <SignInCard signIn={signIn} />
        <SignCard wallet={wallet} />
        <SendCard wallet={wallet} />
        <ConnectionsCard postern={postern} snapshot={snapshot} />
        {namespaceCards.map((card) => (
          <NamespaceCard key={card.id} postern={postern} snapshot={snapshot} card={card} />
        ))}
        <NetworkCard postern={postern} wallet={wallet} networks={snapshot.networks} />
        <DiagnoseCard postern={postern} />
        <WalletsCard />
        <LogCard entries={log} />
      </main>
    </>
  )
}
