/** A sats-connect app; it finds Postern only in the list of Bitcoin providers. */
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { AddressPurpose, getProviders, request } from 'sats-connect'

function App() {
  const [providers, setProviders] = useState<ReturnType<typeof getProviders>>([])
  const [provider, setProvider] = useState('')
  const [account, setAccount] = useState('')
  const [to, setTo] = useState('')
  const [said, setSaid] = useState('')

  async function connect(id: string) {
    const answer = await request('wallet_connect', { addresses: [AddressPurpose.Payment] }, id)
    setProvider(id)
    setAccount(answer.status === 'success' ? (answer.result.addresses[0]?.address ?? '') : String(answer.error.code))
  }

  async function sign() {
    setSaid('')
    const answer = await request('signMessage', { address: account, message: 'Hello from sats-connect' }, provider)
    setSaid(answer.status === 'success' ? answer.result.signature : String(answer.error.code))
  }

  async function send() {
    setSaid('')
    const answer = await request('sendTransfer', { recipients: [{ address: to, amount: 20_000 }] }, provider)
    setSaid(answer.status === 'success' ? answer.result.txid : String(answer.error.code))
  }

  return (
    <main>
      <h1>A sats-connect app</h1>
      <button type="button" onClick={() => setProviders([...getProviders()])}>
        Connect a wallet
      </button>
      {providers.map(({ id, name }) => (
        <button key={id} type="button" onClick={() => void connect(id)}>
          {name}
        </button>
      ))}
      <output aria-label="Account">{account}</output>
      <button type="button" onClick={() => void sign()}>
        Sign
      </button>
      <label>
        To <input value={to} onChange={({ target }) => setTo(target.value)} />
      </label>
      <button type="button" onClick={() => void send()}>
        Send
      </button>
      <output aria-label="Said">{said}</output>
    </main>
  )
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
