import type { Network } from '@postern/protocol'
import type { SendToken } from '../send/token'

const bare = { rpcUrls: [], blockExplorers: [], testnet: false }

export const ethereum: Network = {
  ...bare,
  id: 1,
  name: 'Ethereum',
  chainNamespace: 'eip155',
  caipNetworkId: 'eip155:1',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
}

export const base: Network = { ...ethereum, id: 8453, name: 'Base', caipNetworkId: 'eip155:8453' }

export const solana: Network = {
  ...bare,
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'Solana',
  chainNamespace: 'solana',
  caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
}

export const bitcoin: Network = {
  ...bare,
  id: '000000000019d6689c085ae165831e93',
  name: 'Bitcoin',
  chainNamespace: 'bip122',
  caipNetworkId: 'bip122:000000000019d6689c085ae165831e93',
  nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
}

export function currencyOf({ nativeCurrency }: Network, balance: bigint): SendToken {
  return { ...nativeCurrency, key: 'native', balance, address: null, price: 0, iconUrl: '' }
}
