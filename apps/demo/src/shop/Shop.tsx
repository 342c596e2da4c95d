import { usePostern } from '@postern/client/react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { modes, modeWords } from '../dapp/theme'
import { useLook } from '../dapp/use-look'
import { useAccount } from './account'
import { Choice } from './parts/Choice'
import { Step } from './Step'
import styles from './shop.module.css'
import { sources } from './sources'
import { Buy } from './steps/Buy'
import { Connect } from './steps/Connect'
import { Profile } from './steps/Profile'
import { Send } from './steps/Send'
import { SignIn } from './steps/SignIn'
import { Swap } from './steps/Swap'

const themes = modes.map((mode) => ({ value: mode, name: modeWords[mode] }))

export function Shop() {
  const { postern, snapshot } = usePostern()
  const account = useAccount()
  const [look, setLook] = useLook(postern)
  const queries = useQueryClient()
  useEffect(() => {
    // The visitor may have swapped or sent there.
    if (!snapshot.open) void queries.invalidateQueries()
  }, [queries, snapshot.open])

  return (
    <>
      <header className={styles.bar}>
        <p className={styles.brand}>
          <img src="/icon.svg" alt="" width="28" height="28" />
          The Side Door
        </p>
        <nav aria-label="Pages">
          <a className={styles.link} href="/lab">
            Lab
          </a>
        </nav>
        <Choice
          label="Theme"
          options={themes}
          value={look.mode}
          onChange={(value) => setLook({ ...look, mode: modes.find((mode) => mode === value) ?? 'auto' })}
        />
      </header>
      <main className={styles.main}>
        <div className={styles.hero}>
          <h1>Small things for old doors</h1>
          <p>
            A shop on a test network. Bring a wallet, or come in with your email. The money is play money, the payments
            are real transactions, and the code of each step stands beside it.
          </p>
        </div>
        <Step title="Come in" text="Connect any wallet, or get one with your email address." files={sources.connect}>
          <Connect />
        </Step>
        <Step
          title="Shop"
          text="Pay in play dollars. Your order shows once the chain confirmed it."
          files={sources.buy}
        >
          <Buy account={account} />
        </Step>
        <Step
          title="See who you are"
          text="Your name, picture and balances, read from the chain."
          files={sources.profile}
        >
          {account === null ? <Connect label="Connect to see your account" /> : <Profile account={account} />}
        </Step>
        <Step
          title="Sign in"
          text="Sign a message, and this shop’s server knows you. No password."
          files={sources.signIn}
        >
          {account === null ? <Connect label="Connect to sign in" /> : <SignIn account={account} />}
        </Step>
        <Step title="Swap" text="Change ether into play dollars." files={sources.swap}>
          {account === null ? <Connect label="Connect to swap" /> : <Swap />}
        </Step>
        <Step title="Send" text="Tip one of the neighbours." files={sources.send}>
          {account === null ? <Connect label="Connect to send" /> : <Send account={account} />}
        </Step>
      </main>
      <footer className={styles.foot}>
        Every capability by hand: the <a href="/lab">lab</a>, by npm, and <a href="/lab/script.html">by script tag</a>.
      </footer>
    </>
  )
}
