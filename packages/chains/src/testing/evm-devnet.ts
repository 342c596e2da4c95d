/** The devnet's EVM chains with their contracts and bundler, for tests that send to them. */
export { type Devnet, devnetAccounts, devnetContracts, startDevnet } from '@postern/devnet'
