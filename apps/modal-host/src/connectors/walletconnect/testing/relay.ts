/** The devnet's relay, for hosts and wallets of a test to meet at. */
export { type RunningRelay, startRelay } from '@postern/devnet/relay'
