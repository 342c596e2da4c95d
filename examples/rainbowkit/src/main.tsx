import './postern'
import '@rainbow-me/rainbowkit/styles.css'
import { ConnectButton, getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import { injectedWallet } from '@rainbow-me/rainbowkit/wallets'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { useAccount, useSignMessage, WagmiProvider } from 'wagmi'
import { base, mainnet } from 'wagmi/chains'

const config = getDefaultConfig({
  appName: 'My dapp',
  // RainbowKit wants one. WalletConnect is also in Postern, by the gateway's project.
  projectId: 'my-project',
  chains: [mainnet, base],
  wallets: [{ groupName: 'Others', wallets: [injectedWallet] }],
})

function Wallet() {
  const { address } = useAccount()
  const sign = useSignMessage()
  if (address === undefined) return null
  return (
    <section>
      <p>{address}</p>
      <button type="button" onClick={() => sign.signMessage({ message: 'Hello' })}>
        Sign a message
      </button>
      <output>{sign.data ?? sign.error?.message}</output>
    </section>
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <RainbowKitProvider>
        <h1>RainbowKit</h1>
        <ConnectButton />
        <Wallet />
      </RainbowKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
