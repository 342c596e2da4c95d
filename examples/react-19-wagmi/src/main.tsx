import { postern } from '@postern/wagmi'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { base, mainnet } from 'wagmi/chains'
import { Wallet } from './Wallet'

const config = createConfig({
  chains: [mainnet, base],
  connectors: [postern({ projectId: 'dev', host: 'http://127.0.0.1:4400' })],
  // Postern lists the wallets of the page.
  multiInjectedProviderDiscovery: false,
  transports: { [mainnet.id]: http(), [base.id]: http() },
})

const queryClient = new QueryClient()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <h1>wagmi</h1>
        <Wallet />
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
)
