/** What both pages are configured with; `script.html` writes the same in attributes. */
export const projectId = 'demo'
/** Where the modal lives in development. */
export const modalHost = 'http://modal.postern.localhost:4400'
export const networks = ['eip155:31337', 'eip155:31338', 'ethereum', 'base']

/** Accounts of the devnet's phrase, for somebody to send to. */
export const neighbours = [
  { name: 'Devnet account 2', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
  { name: 'Devnet account 3', address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
] as const

/** For the button that adds a network to the wallet (EIP-3085). */
export const addableChain = {
  chainId: '0x7a6a',
  chainName: 'Postern Devnet Two',
  rpcUrls: ['http://127.0.0.1:8546'],
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
} as const
