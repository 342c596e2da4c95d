import type { CaipNetworkId } from '../types'

export const bitcoinChains = {
  mainnet: 'bip122:000000000019d6689c085ae165831e93',
  testnet: 'bip122:000000000933ea01ad0ee984209779ba',
  signet: 'bip122:00000008819873e925422c1ff0f99f7c',
  regtest: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
} as const

/** Wallet Standard to CAIP-2. `standard-chains.test.ts` checks it against the protocol. */
export const standardChains: Readonly<Record<string, CaipNetworkId>> = {
  'solana:mainnet': 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:devnet': 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana:testnet': 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  'solana:localnet': 'solana:PosternDevnet1111111111111111111',
  'bitcoin:mainnet': bitcoinChains.mainnet,
  'bitcoin:testnet': bitcoinChains.testnet,
  'bitcoin:signet': bitcoinChains.signet,
  'bitcoin:regtest': bitcoinChains.regtest,
}

export function fromStandardChain(chain: unknown): CaipNetworkId | undefined {
  return typeof chain === 'string' && Object.hasOwn(standardChains, chain) ? standardChains[chain] : undefined
}

export function toStandardChain(id: unknown): string | undefined {
  return Object.keys(standardChains).find((chain) => standardChains[chain] === id)
}
