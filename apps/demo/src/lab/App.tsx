import type { Postern } from '@postern/client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { accountView } from '../dapp/account'
import { namespaceCards } from '../dapp/cards'
import { statusLine } from '../dapp/connections'
import { watchProvider } from '../dapp/provider-log'
import type { SignIn } from '../dapp/sign-in'
import { AccountCard, type Entry } from './AccountCard'
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

const entries: readonly { readonly entry: Entry; readonly href: string; readonly words: string }[] = [
  { entry: 'npm', href: '/lab', words: 'npm and React' },
  { entry: 'script tag', href: '/lab/script.html', words: 'Script tag' },
]

type Props = { readonly entry: Entry; readonly postern: Postern; readonly signIn: SignIn | null }

/** The page of both entries; with the script tag, its elements are the buttons. */
export function App({ entry, postern, signIn }: Props) {
  const snapshot = useSyncExternalStore(postern.subscribe, postern.getSnapshot)
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
          {entries.map((other) => (
            <a key={other.entry} href={other.href} aria-current={other.entry === entry ? 'page' : undefined}>
              {other.words}
            </a>
          ))}
        </nav>
        <ThemeChoice postern={postern} />
      </header>
      <main>
        <AccountCard entry={entry} postern={postern} account={account} words={statusLine(snapshot)} />
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
