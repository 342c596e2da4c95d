/** The one table of JSON-RPC methods (spec §5 and §6, interop §1). What is in neither list is refused: default deny. */

/** Answered without asking anybody: reads, filters, gas estimates, raw transactions that are signed already, capability and asset queries. */
export const safeRpcMethods = [
  'eth_accounts',
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_estimateUserOperationGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getAccount',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_simulateV1',
  'eth_supportedEntryPoints',
  'eth_syncing',
  'eth_uninstallFilter',
  'wallet_getAssets',
  'wallet_getCallsStatus',
  'wallet_getCapabilities',
  // Solana's own reads. `sendTransaction` carries its own signature, like eth_sendRawTransaction.
  'getAccountInfo',
  'getBalance',
  'getBlockHeight',
  'getBlockTime',
  'getEpochInfo',
  'getFeeForMessage',
  'getGenesisHash',
  'getLatestBlockhash',
  'getMinimumBalanceForRentExemption',
  'getMultipleAccounts',
  'getRecentPrioritizationFees',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getSlot',
  'getTokenAccountBalance',
  'getTokenAccountsByOwner',
  'getTokenSupply',
  'getTransaction',
  'getVersion',
  'isBlockhashValid',
  'sendTransaction',
  'simulateTransaction',
  // Bitcoin has no JSON-RPC that dapps know: these are answered from Esplora (docs/guides/bitcoin.md).
  'bip122_getBalance',
  'bip122_getFeeEstimates',
  'bip122_getTransaction',
  'bip122_getUtxos',
  'bip122_sendRawTransaction',
  // Who is connected, without asking anybody.
  'solana_getAccounts',
  'bip122_getAccountAddresses',
] as const
export type SafeRpcMethod = (typeof safeRpcMethods)[number]

/** Need the visitor's approval: signing, sending transactions, calls or user operations, granting and revoking permissions. */
export const notSafeRpcMethods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'eth_sendUserOperation',
  'wallet_sendCalls',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
  'bip122_signMessage',
  'bip122_signPsbt',
  'bip122_sendTransfer',
] as const
export type NotSafeRpcMethod = (typeof notSafeRpcMethods)[number]

export type RpcMethodClass = 'safe' | 'notSafe' | 'refused'

/** A Map, not an object: `constructor` and `__proto__` are methods that nobody listed. */
const classes: ReadonlyMap<string, 'safe' | 'notSafe'> = new Map([
  ...safeRpcMethods.map((method) => [method, 'safe'] as const),
  ...notSafeRpcMethods.map((method) => [method, 'notSafe'] as const),
])

/** Names are compared exactly: `ETH_CALL` and `eth_call ` are not `eth_call`. */
export function classifyRpcMethod(method: string): RpcMethodClass {
  return classes.get(method) ?? 'refused'
}
