/** `postern-adapters.js`: loads with the first Solana or Bitcoin provider or wallet. */
export { adapt, createProviders } from '../adapters/index'
