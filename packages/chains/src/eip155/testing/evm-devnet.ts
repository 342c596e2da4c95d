export {
  type Anvil,
  createEvmChain,
  type Devnet,
  devnetAccounts,
  devnetContracts,
  devnetMnemonic,
  freePorts,
  startAnvil,
  startDevnet,
  weathers,
} from '@postern/devnet'
