import type { CaipNetworkId } from '@postern/protocol'

export const devnetChains = [
  { key: 'evm', chainId: 31337, name: 'Postern Devnet', colour: '#0d7565', port: 8545 },
  { key: 'evmTwo', chainId: 31338, name: 'Postern Devnet Two', colour: '#8a5a00', port: 8546 },
] as const

/** CAIP-30: first 32 characters of the genesis hash. */
export const devnetSolanaId: CaipNetworkId = 'solana:PosternDevnet1111111111111111111'
/** BIP-122: regtest's genesis block. */
export const devnetBitcoinId: CaipNetworkId = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
