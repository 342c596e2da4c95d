import type { CaipNetworkId } from './namespaces'

/** Wallet Standard chains, in CAIP-2. Source: https://github.com/anza-xyz/wallet-standard, and its Bitcoin extension. */
export const standardChains = {
  'solana:mainnet': 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:devnet': 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana:testnet': 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  'solana:localnet': 'solana:PosternDevnet1111111111111111111',
  'bitcoin:mainnet': 'bip122:000000000019d6689c085ae165831e93',
  'bitcoin:testnet': 'bip122:000000000933ea01ad0ee984209779ba',
  'bitcoin:signet': 'bip122:00000008819873e925422c1ff0f99f7c',
  'bitcoin:regtest': 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
} as const satisfies Readonly<Record<string, CaipNetworkId>>
