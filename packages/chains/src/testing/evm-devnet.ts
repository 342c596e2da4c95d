export { type Devnet, devnetAccounts, devnetContracts, startDevnet } from '@postern/devnet'
