import type { StandardFacts } from '../contract'

const transactions = { supportedTransactionVersions: Object.freeze(['legacy', 0]) }

export const standard: StandardFacts = {
  scope: 'standard',
  signing: {
    'solana:signMessage': {},
    'solana:signTransaction': transactions,
    'solana:signAndSendTransaction': transactions,
    'solana:signIn': {},
  },
  idPrefixes: {
    'solana:mainnet': 'solana:5ey',
    'solana:devnet': 'solana:EtW',
    'solana:testnet': 'solana:4uh',
    'solana:localnet': 'solana:Pos',
  },
}
