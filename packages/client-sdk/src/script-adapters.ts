/** `postern-adapters.js`: what `postern.js` loads with the first use of a Solana or Bitcoin provider or wallet. */
export { adapt, createProviders } from './adapters/adapt'
