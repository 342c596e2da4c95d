/** A RainbowKit 2 app with wagmi 2 and React 18, as in its documentation; it finds Postern only by EIP-6963. */
import { ConnectButton, getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { injectedWallet } from '@rainbow-me/rainbowkit/wallets'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { http } from 'viem'
import { WagmiProvider } from 'wagmi'
import { devnet, rpcUrl } from '../devnet'
import { WagmiAccount } from '../wagmi-account'

const config = getDefaultConfig({
  appName: 'A RainbowKit app',
  projectId: 'devnet',
  chains: [devnet],
  transports: { [devnet.id]: http(rpcUrl) },
  wallets: [{ groupName: 'Others', wallets: [injectedWallet] }],
})

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the app.')
createRoot(root).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <RainbowKitProvider>
        <h1>A RainbowKit app</h1>
        <ConnectButton />
        <WagmiAccount />
      </RainbowKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
