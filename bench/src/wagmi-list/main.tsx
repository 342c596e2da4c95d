/** The smallest list that a wagmi app can have: the wallets of the page behind a button, without a dialog or styles. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, useConnect, useConnectors, WagmiProvider } from 'wagmi'
import { mainnet } from 'wagmi/chains'

const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http() } })

function Wallets() {
  const [isOpen, setOpen] = useState(false)
  const connectors = useConnectors()
  const connect = useConnect()
  return (
    <>
      <button type="button" id="open" onClick={() => setOpen(true)}>
        Connect
      </button>
      {isOpen &&
        connectors.map((connector) => (
          <button type="button" data-row="" key={connector.uid} onClick={() => connect.mutate({ connector })}>
            <img alt="" src={connector.icon} />
            {connector.name}
          </button>
        ))}
    </>
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the app.')
createRoot(root).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Wallets />
    </QueryClientProvider>
  </WagmiProvider>,
)
