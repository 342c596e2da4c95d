import { ConnectButton, useAccount, useBalance, usePostern } from '@postern/client/react'
import { useState } from 'react'

/** "Hello" as hexadecimal bytes. */
const message = '0x48656c6c6f'

export function Wallet() {
  const { postern } = usePostern()
  const { address, isConnected } = useAccount('eip155')
  const { formatted, symbol } = useBalance('eip155')
  const [answer, setAnswer] = useState('')

  async function sign() {
    try {
      setAnswer(await postern.eip155.request({ method: 'personal_sign', params: [message, address] }))
    } catch (error) {
      setAnswer(String(error))
    }
  }

  return (
    <>
      <ConnectButton label="Connect" />
      {isConnected && (
        <section>
          <p>{address}</p>
          {formatted !== undefined && <p>{`${formatted} ${symbol}`}</p>}
          <button type="button" onClick={sign}>
            Sign a message
          </button>
          <output>{answer}</output>
        </section>
      )}
    </>
  )
}
