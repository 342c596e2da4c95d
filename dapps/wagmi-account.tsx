/** What a dapp of wagmi 2 does once a kit has connected a wallet. */
import { useState } from 'react'
import { isAddress, parseEther } from 'viem'
import { useAccount, useDisconnect, useSendTransaction, useSignMessage, useWaitForTransactionReceipt } from 'wagmi'

export function WagmiAccount() {
  const { status, address, chainId } = useAccount()
  const leave = useDisconnect()
  const sign = useSignMessage()
  const send = useSendTransaction()
  const receipt = useWaitForTransactionReceipt({ hash: send.data })
  const [to, setTo] = useState('')
  const error = sign.error ?? send.error ?? leave.error
  return (
    <>
      <output aria-label="Status">{status}</output>
      <output aria-label="Account">{address ?? ''}</output>
      <output aria-label="Chain">{chainId ?? ''}</output>
      <button type="button" onClick={() => sign.signMessage({ message: 'Hello from the kit' })}>
        Sign
      </button>
      <output aria-label="Signature">{sign.data ?? ''}</output>
      <input aria-label="To" value={to} onChange={({ target }) => setTo(target.value)} />
      <button type="button" onClick={() => isAddress(to) && send.sendTransaction({ to, value: parseEther('0.01') })}>
        Send
      </button>
      <output aria-label="Receipt">{receipt.data?.status ?? ''}</output>
      <button type="button" onClick={() => leave.disconnect()}>
        Leave
      </button>
      <output aria-label="Error">{error?.message ?? ''}</output>
    </>
  )
}
