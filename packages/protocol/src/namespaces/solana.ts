import type { NamespaceFacts } from './contract'

const address = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

export const solana = {
  name: 'Solana',
  reference: /^[-_a-zA-Z0-9]{1,32}$/,
  networkId: String,
  address,
  recipient: address,
  caseChecksum: null,
  decimals: 9,
  /** Mint of wrapped SOL. */
  nativeAddress: 'So11111111111111111111111111111111111111112',
  balance: { method: 'getBalance', params: (address) => [address], member: 'value' },
  api: 'rpc',
  explorer: { address: 'account', tx: 'tx' },
} as const satisfies NamespaceFacts

/** By Wallet Standard name. Source: https://github.com/anza-xyz/wallet-standard */
export const solanaChains = {
  mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  testnet: 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  localnet: 'solana:PosternDevnet1111111111111111111',
} as const
