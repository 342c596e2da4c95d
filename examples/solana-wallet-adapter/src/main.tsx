import './postern'
import { ConnectionProvider, WalletProvider } from '@solana/wallet-adapter-react'
import { clusterApiUrl } from '@solana/web3.js'
import { createRoot } from 'react-dom/client'
import { Wallet } from './Wallet'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <ConnectionProvider endpoint={clusterApiUrl('mainnet-beta')}>
    <WalletProvider wallets={[]} autoConnect>
      <h1>wallet-adapter</h1>
      <Wallet />
    </WalletProvider>
  </ConnectionProvider>,
)
