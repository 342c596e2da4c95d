import type { StandardFacts } from '../contract'

export const standard: StandardFacts = {
  scope: 'bitcoin',
  signing: { 'bitcoin:signMessage': {}, 'bitcoin:signTransaction': {} },
  idPrefixes: {
    'bitcoin:mainnet': 'bip122:00000000001',
    'bitcoin:testnet': 'bip122:0000000009',
    'bitcoin:signet': 'bip122:00000008',
    'bitcoin:regtest': 'bip122:0f9',
  },
}
