'use client'

import { ConnectButton, useAccount, usePostern, usePosternEvent } from '@postern/client/react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'

/** "Hello" as hexadecimal bytes. */
const message = '0x48656c6c6f'

export function Wallet() {
  const { postern } = usePostern()
  const { address, isConnected } = useAccount('eip155')
  const [answer, setAnswer] = useState('')
  const router = useRouter()
  // The server's part of the page then shows the session.
  usePosternEvent('signIn', () => router.refresh())

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
          <button type="button" onClick={sign}>
            Sign a message
          </button>
          <output>{answer}</output>
        </section>
      )}
    </>
  )
}
