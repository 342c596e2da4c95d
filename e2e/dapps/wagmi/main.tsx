/** A wagmi app as in its documentation; it finds Postern only by EIP-6963. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { defineChain, parseEther } from 'viem'
import {
  createConfig,
  http,
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
  useSendTransaction,
  useSignMessage,
  useSwitchChain,
  useWaitForTransactionReceipt,
  WagmiProvider,
} from 'wagmi'

const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const chain = defineChain({
  id: 31337,
  name: 'Postern Devnet',
  nativeCurrency,
  rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
})
const chainTwo = defineChain({
  id: 31338,
  name: 'Postern Devnet Two',
  nativeCurrency,
  rpcUrls: { default: { http: ['http://127.0.0.1:8546'] } },
})
const config = createConfig({
  chains: [chain, chainTwo],
  transports: { [chain.id]: http(), [chainTwo.id]: http() },
})

function App() {
  const { status, address, chainId } = useConnection()
  return (
    <main>
      <h1>A wagmi app</h1>
      <output aria-label="Status">{status}</output>
      <output aria-label="Account">{address ?? ''}</output>
      <output aria-label="Chain">{chainId ?? ''}</output>
      {status === 'connected' ? <Connected /> : <Connectors />}
    </main>
  )
}

function Connectors() {
  const connectors = useConnectors()
  const connect = useConnect()
  return (
    <>
      {connectors.map((connector) => (
        <button key={connector.uid} type="button" onClick={() => connect.mutate({ connector })}>
          {connector.name}
        </button>
      ))}
      <output aria-label="Error">{connect.error?.message ?? ''}</output>
    </>
  )
}

function Connected() {
  const disconnect = useDisconnect()
  const sign = useSignMessage()
  const send = useSendTransaction()
  const change = useSwitchChain()
  const [to, setTo] = useState('')
  const receipt = useWaitForTransactionReceipt({ hash: send.data })
  const error = sign.error ?? send.error ?? change.error
  return (
    <>
      <button type="button" onClick={() => sign.mutate({ message: 'Hello from wagmi' })}>
        Sign
      </button>
      <output aria-label="Signature">{sign.data ?? ''}</output>
      <input aria-label="To" value={to} onChange={(event) => setTo(event.target.value)} />
      <button type="button" onClick={() => send.mutate({ to: addressOf(to), value: parseEther('0.01') })}>
        Send
      </button>
      <output aria-label="Receipt">{receipt.data?.status ?? ''}</output>
      <button type="button" onClick={() => change.mutate({ chainId: chainTwo.id })}>
        Switch
      </button>
      <button type="button" onClick={() => disconnect.mutate({})}>
        Disconnect
      </button>
      <output aria-label="Error">{error?.message ?? ''}</output>
    </>
  )
}

function addressOf(text: string): `0x${string}` {
  return `0x${text.replace(/^0x/, '')}`
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the app.')
createRoot(root).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <App />
    </QueryClientProvider>
  </WagmiProvider>,
)
