export { deployAccountAbstraction } from './account-abstraction/deploy'
export { devnetBitcoinId, devnetSolanaId } from './chain-ids'
export { type Anvil, startAnvil } from './evm/anvil'
export { devnetCollectible, devnetGasPriceOracle, devnetItems, devnetToken } from './evm/contracts.gen'
export { gasPriceOracleAddress } from './evm/deploy-oracle'
export { gatewayEnvironment } from './gateway-environment'
export { deployHostileTokens, type HostileTokens, hostileName, type Poison, poisonHistory } from './hostile'
export { freePorts } from './http/free-ports'
export { otherSocialKeys } from './identity-provider/clients'
export { devnetMnemonic } from './mnemonic'
export { registerName } from './names/deploy'
export {
  type DevnetPorts,
  devnetAccounts,
  devnetContracts,
  devnetNetworks,
  devnetPorts,
  ensContracts,
  idRegistryAddress,
  multicall3Address,
  pairAddress,
} from './networks'
export { answerOidc, type OidcPerson } from './oidc/answer-oidc'
export { type OidcFault, type OidcProvider, startOidcProvider } from './oidc/start-oidc-provider'
export { type RunningRelay, startRelay } from './relay/start-relay'
export { solanaCollectible, solanaLevyMint, solanaMint } from './solana/token-ids'
export { type Devnet, startDevnet } from './start-devnet'
export { weatherNetworks } from './weather/devnet-weather'
export { createEvmChain } from './weather/evm-chain'
export { weathers } from './weather/levels'
export { type RunningWeather, startWeather } from './weather/start-weather'
