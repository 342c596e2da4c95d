export { devnetBitcoinId, devnetSolanaId } from './chain-ids'
export { devnetCollectible, devnetToken } from './evm/contracts.gen'
export { gatewayEnvironment } from './gateway-environment'
export { devnetMnemonic } from './mnemonic'
export {
  type DevnetPorts,
  devnetAccounts,
  devnetContracts,
  devnetNetworks,
  devnetPorts,
  idRegistryAddress,
  multicall3Address,
} from './networks'
export { type RunningRelay, startRelay } from './relay/start-relay'
export { type Devnet, startDevnet } from './start-devnet'
