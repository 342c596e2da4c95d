/** What the gateway's tests know of the devnet. */
export {
  deployHostileTokens,
  devnetAccounts,
  devnetBitcoinId,
  devnetCollectible,
  devnetContracts,
  devnetItems,
  devnetSolanaId,
  devnetToken,
  gatewayEnvironment,
  hostileName,
  registerName,
} from '@postern/devnet'
