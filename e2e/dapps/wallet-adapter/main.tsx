/** A wallet-adapter app as in its documentation; it finds Postern only by Wallet Standard. */
import { ConnectionProvider, useConnection, useWallet, WalletProvider } from '@solana/wallet-adapter-react'
import { verifySignIn } from '@solana/wallet-standard-util'
import { PublicKey, SystemProgram, Transaction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const endpoint = 'http://127.0.0.1:8547'
const sol = 1_000_000_000

function App() {
  const { wallets, wallet, select, connect, signIn, connected, connecting, publicKey } = useWallet()
  const [signedIn, setSignedIn] = useState('')

  async function signInHere(): Promise<void> {
    if (signIn === undefined) throw new Error('This wallet cannot sign in.')
    const input = { domain: location.host, statement: 'Welcome.', nonce: 'a1b2c3d4' }
    const output = await signIn(input)
    setSignedIn(verifySignIn(input, output) ? output.account.address : 'not verified')
  }

  return (
    <main>
      <h1>A wallet-adapter app</h1>
      <output aria-label="Status">{connected ? 'connected' : connecting ? 'connecting' : 'disconnected'}</output>
      <output aria-label="Account">{publicKey?.toBase58() ?? ''}</output>
      <output aria-label="Signed in">{signedIn}</output>
      {connected ? (
        <Connected />
      ) : (
        <>
          {wallets.map(({ adapter }) => (
            <button key={adapter.name} type="button" onClick={() => select(adapter.name)}>
              {adapter.name}
            </button>
          ))}
          {wallet !== null && (
            <>
              <button type="button" onClick={() => void connect().catch(() => {})}>
                Connect to {wallet.adapter.name}
              </button>
              <button type="button" onClick={() => void signInHere().catch(() => {})}>
                Sign in with {wallet.adapter.name}
              </button>
            </>
          )}
        </>
      )}
    </main>
  )
}

function Connected() {
  const { connection } = useConnection()
  const { publicKey, signMessage, signTransaction, sendTransaction, disconnect } = useWallet()
  const [to, setTo] = useState('')
  const [said, setSaid] = useState('')
  const [error, setError] = useState('')

  function run(action: () => Promise<string>) {
    setSaid('')
    setError('')
    action().then(setSaid, (thrown: unknown) => setError(thrown instanceof Error ? thrown.message : String(thrown)))
  }

  async function sign(): Promise<string> {
    if (signMessage === undefined) throw new Error('This wallet cannot sign messages.')
    const signature = await signMessage(new TextEncoder().encode('Hello from wallet-adapter'))
    return Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  function transfer(payer: PublicKey) {
    return SystemProgram.transfer({ fromPubkey: payer, toPubkey: new PublicKey(to), lamports: sol / 100 })
  }

  async function sendVersioned(): Promise<string> {
    if (publicKey === null) throw new Error('No account is connected.')
    const latest = await connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: publicKey,
      recentBlockhash: latest.blockhash,
      instructions: [transfer(publicKey)],
    }).compileToV0Message()
    const signature = await sendTransaction(new VersionedTransaction(message), connection)
    await connection.confirmTransaction({ signature, ...latest })
    return signature
  }

  async function sendLegacy(): Promise<string> {
    if (publicKey === null || signTransaction === undefined) throw new Error('No account is connected.')
    const latest = await connection.getLatestBlockhash()
    const unsigned = new Transaction({ feePayer: publicKey, ...latest }).add(transfer(publicKey))
    const signed = await signTransaction(unsigned)
    const signature = await connection.sendRawTransaction(signed.serialize())
    await connection.confirmTransaction({ signature, ...latest })
    return signature
  }

  return (
    <>
      <button type="button" onClick={() => run(sign)}>
        Sign
      </button>
      <input aria-label="To" value={to} onChange={(event) => setTo(event.target.value)} />
      <button type="button" onClick={() => run(sendVersioned)}>
        Send versioned
      </button>
      <button type="button" onClick={() => run(sendLegacy)}>
        Send legacy
      </button>
      <button type="button" onClick={() => void disconnect()}>
        Disconnect
      </button>
      <output aria-label="Said">{said}</output>
      <output aria-label="Error">{error}</output>
    </>
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the app.')
createRoot(root).render(
  <ConnectionProvider endpoint={endpoint}>
    <WalletProvider wallets={[]} autoConnect={false}>
      <App />
    </WalletProvider>
  </ConnectionProvider>,
)
