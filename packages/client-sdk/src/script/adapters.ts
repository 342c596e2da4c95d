/** `postern-adapters.js`: for the first Solana or Bitcoin provider or wallet. */
export { adapt, createProviders } from '../adapters/index'
