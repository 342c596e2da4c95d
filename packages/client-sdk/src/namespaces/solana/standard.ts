import type { StandardFacts } from '../contract'

export const standard: StandardFacts = {
  scope: 'standard',
  signing: ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signIn'],
  idPrefixes: {
    'solana:mainnet': 'solana:5ey',
    'solana:devnet': 'solana:EtW',
    'solana:testnet': 'solana:4uh',
    'solana:localnet': 'solana:Pos',
  },
}
