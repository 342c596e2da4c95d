export { freePorts, solanaLevyMint, solanaMint } from '@postern/devnet'
export { type BitcoinChain, startBitcoin } from '@postern/devnet/bitcoin'
export { type SolanaChain, startSolana } from '@postern/devnet/solana'
