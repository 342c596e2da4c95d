import { useWallet } from '@solana/wallet-adapter-react'
import { useState } from 'react'

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export function Wallet() {
  const { wallets, wallet, select, connect, publicKey, signMessage } = useWallet()
  const [answer, setAnswer] = useState('')

  async function sign() {
    try {
      setAnswer(toHex((await signMessage?.(new TextEncoder().encode('Hello'))) ?? new Uint8Array()))
    } catch (error) {
      setAnswer(String(error))
    }
  }

  if (publicKey !== null)
    return (
      <section>
        <p>{publicKey.toBase58()}</p>
        <button type="button" onClick={sign}>
          Sign a message
        </button>
        <output>{answer}</output>
      </section>
    )
  if (wallet !== null)
    return (
      <button type="button" onClick={() => connect().catch((error: unknown) => setAnswer(String(error)))}>
        Connect
      </button>
    )
  return (
    <ul>
      {wallets.map(({ adapter: { name } }) => (
        <li key={name}>
          <button type="button" onClick={() => select(name)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
