/** The devnet's relay, where hosts and wallets of a test connect. */
export { type RunningRelay, startRelay } from '@postern/devnet/relay'
