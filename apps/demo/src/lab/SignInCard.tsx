import { useSyncExternalStore } from 'react'
import { placeWords, type SignIn, sessionWords, signInChoices } from '../dapp/sign-in'
import { OutcomeBox, useOutcome } from './OutcomeBox'

export function SignInCard({ signIn }: { readonly signIn: SignIn | null }) {
  return (
    <section className="card wide" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">Sign in</h2>
      <p>{signIn === null ? 'A connected wallet is enough for this page.' : placeWords[signIn.place]}</p>
      {signIn !== null && <Sessions signIn={signIn} />}
      <nav className="row" aria-label="Ways to sign in">
        {signInChoices.map(({ query, words }) => (
          <a
            key={query}
            className="choice"
            href={`${window.location.pathname}${query}`}
            aria-current={window.location.search === query ? 'page' : undefined}
          >
            {words}
          </a>
        ))}
      </nav>
    </section>
  )
}

function Sessions({ signIn }: { readonly signIn: SignIn }) {
  const sessions = useSyncExternalStore(signIn.subscribe, signIn.getSnapshot, signIn.getSnapshot)
  const { outcome, busy, run } = useOutcome()
  const { signOut, whoAmI } = signIn
  return (
    <>
      {sessions.length === 0 ? (
        <p>You are not signed in.</p>
      ) : (
        <ul className="sessions" aria-label="Sessions">
          {sessions.map(sessionWords).map(({ key, account, short, chain, until }) => (
            <li key={key}>
              <b title={account}>{short}</b>
              <span>{chain}</span>
              <span>{until}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <button
          type="button"
          className="bad"
          disabled={busy || sessions.length === 0}
          onClick={() => run('Signing out', signOut)}
        >
          Sign out
        </button>
        {whoAmI !== null && (
          <button type="button" disabled={busy} onClick={() => run('Asking the server', whoAmI)}>
            Ask the server who I am
          </button>
        )}
      </div>
      <OutcomeBox outcome={outcome} label="Sign-in" />
    </>
  )
}
