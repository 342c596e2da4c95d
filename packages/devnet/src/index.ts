export { devnetCollectible, devnetToken } from './evm/contracts.gen'
export {
  type DevnetPorts,
  devnetAccounts,
  devnetContracts,
  devnetMnemonic,
  devnetNetworks,
  devnetPorts,
  multicall3Address,
} from './networks'
export { type Devnet, startDevnet } from './start-devnet'
