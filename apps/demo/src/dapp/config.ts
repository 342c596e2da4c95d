/** `lab/script.html` repeats it in attributes. */
import type { CustomWallet } from '@postern/client'

export const projectId = 'demo'
export const modalHost = 'http://modal.postern.localhost:4400'
/** The devnet's four chains, then public ones. */
export const networks = [
  'eip155:31337',
  'eip155:31338',
  'solana:PosternDevnet1111111111111111111',
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
  'ethereum',
  'base',
  'solana',
  'bitcoin',
]

/** Off by default. */
export const features = { pay: true, smartSessions: true }

const mobileWalletIcon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='24' fill='#245a8a'/>" +
    "<rect x='33' y='20' width='30' height='56' rx='8' fill='none' stroke='#fff' stroke-width='5'/>" +
    "<path d='M44 66h8' stroke='#fff' stroke-width='5' stroke-linecap='round'/></svg>",
)}`

/** The devnet's mobile wallet, a web page that is not in the directory. */
export const customWallets: readonly CustomWallet[] = [
  {
    id: 'devnet-mobile-wallet',
    name: 'Devnet Mobile Wallet',
    imageUrl: mobileWalletIcon,
    homepage: 'http://mobile-wallet.localhost:8551/',
    mobile_link: 'http://mobile-wallet.localhost:8551/',
    desktop_link: 'http://mobile-wallet.localhost:8551/',
    webapp_link: 'http://mobile-wallet.localhost:8551/',
  },
]

/** Accounts of the devnet's seed phrase, as recipients. */
export const neighbours = [
  { name: 'Devnet account 2', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
  { name: 'Devnet account 3', address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
] as const
export const solanaNeighbour = 'AqynRZwvVqUPRwRJXvm6odUb3t93fDjnWe3p6BeuUFxD'
export const bitcoinNeighbour = 'bcrt1qlqj2pdsteppkcr8jkp9ms0wpvey89tna8v72sj'

/** DUSD of the devnet; same address on both EVM chains. */
export const playDollar = '0x700b6A60ce7EaaEA56F065753d8dcB9653dbAD35'

/** ENS universal resolver of the devnet. */
export const nameResolver = '0xf95F88CF97AA88274e918352a8a18d9843603393'

/** RPC endpoints for verifying contract accounts. */
export const devnetRpcUrls: Readonly<Record<string, string>> = {
  'eip155:31337': 'http://127.0.0.1:8545',
  'eip155:31338': 'http://127.0.0.1:8546',
}

/** EIP-3085. */
export const addableChain = {
  chainId: '0x7a6a',
  chainName: 'Postern Devnet Two',
  rpcUrls: ['http://127.0.0.1:8546'],
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
} as const
