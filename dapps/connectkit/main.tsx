/** A ConnectKit app with wagmi 2 and React 18, as in its documentation; it finds Postern only by EIP-6963. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConnectKitButton, ConnectKitProvider, getDefaultConfig } from 'connectkit'
import { createRoot } from 'react-dom/client'
import { http } from 'viem'
import { createConfig, WagmiProvider } from 'wagmi'
import { devnet, rpcUrl } from '../devnet'
import { WagmiAccount } from '../wagmi-account'

const config = createConfig(
  getDefaultConfig({
    appName: 'A ConnectKit app',
    walletConnectProjectId: '',
    chains: [devnet],
    transports: { [devnet.id]: http(rpcUrl) },
    enableAaveAccount: false,
  }),
)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the app.')
createRoot(root).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <ConnectKitProvider>
        <h1>A ConnectKit app</h1>
        <ConnectKitButton />
        <WagmiAccount />
      </ConnectKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
