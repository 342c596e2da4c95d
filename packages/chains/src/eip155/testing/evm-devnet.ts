export {
  type Anvil,
  createEvmChain,
  type Devnet,
  devnetAccounts,
  devnetContracts,
  devnetMnemonic,
  startAnvil,
  startDevnet,
  weathers,
} from '@postern/devnet'
