import { defineChain } from 'viem'

export const rpcUrl = 'http://127.0.0.1:8545'

export const devnet = defineChain({
  id: 31337,
  name: 'Postern Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
})
