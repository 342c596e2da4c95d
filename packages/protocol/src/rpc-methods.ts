/** See spec §5 and §6, interop §1. Only the first two lists are carried out. */

/** No approval: reads, filters, gas estimates, signed raw transactions, capability and asset queries. */
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
  // `sendTransaction` carries its signature, like eth_sendRawTransaction.
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
  // Served from Esplora (docs/guides/bitcoin.md), because Bitcoin has no JSON-RPC for dapps.
  'bip122_getBalance',
  'bip122_getFeeEstimates',
  'bip122_getTransaction',
  'bip122_getUtxos',
  'bip122_sendRawTransaction',
  // The connected accounts.
  'solana_getAccounts',
  'bip122_getAccountAddresses',
] as const
export type SafeRpcMethod = (typeof safeRpcMethods)[number]

/** Approval: signing, sending transactions, calls or user operations, granting and revoking permissions. */
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

/** The host makes them of the methods above, with their approvals: no wallet and no endpoint gets them. */
export const composedRpcMethods = ['eth_sendTransactionSync', 'wallet_connect', 'solana_signIn'] as const

/** They pay or send: without the answer, the outcome is unknown. */
const sendingRpcMethods: ReadonlySet<string> = new Set([
  'eth_sendTransaction',
  'eth_sendTransactionSync',
  'eth_sendUserOperation',
  'wallet_sendCalls',
  // Operations of the smart account.
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'solana_signAndSendTransaction',
  'bip122_signPsbt',
  'bip122_sendTransfer',
] satisfies readonly (NotSafeRpcMethod | (typeof composedRpcMethods)[number])[])

/** Whether a repeat may pay twice. Exact comparison. */
export function isSendingRpcMethod(method: string): boolean {
  return sendingRpcMethods.has(method)
}

/**
 * Whether a repeat of this request may pay twice. A PSBT whose `broadcast` is not true is only signed: nothing moves until its
 * caller, who has no answer, broadcasts it.
 */
export function isSendingRpcRequest(method: string, params: unknown): boolean {
  return isSendingRpcMethod(method) && (method !== 'bip122_signPsbt' || asksToBroadcast(params))
}

function asksToBroadcast(params: unknown): boolean {
  const named: unknown = Array.isArray(params) ? params[0] : params
  return typeof named === 'object' && named !== null && 'broadcast' in named && named.broadcast === true
}

/** They sign, send or decrypt, and the embedded wallet never carries them out: the user is told (spec §8). */
const refusedRpcMethods = [
  'eth_sign',
  'eth_signTransaction',
  'eth_signTypedData',
  'eth_signTypedData_v1',
  'eth_signTypedData_v3',
  'eth_decrypt',
  'personal_sendTransaction',
  'personal_signTransaction',
] as const

/** `unknown`: a dapp or library tests whether the method exists; the user is not told. */
export type RpcMethodClass = 'safe' | 'notSafe' | 'refused' | 'unknown'

/** A Map: `constructor` and `__proto__` are unlisted. */
const classes: ReadonlyMap<string, Exclude<RpcMethodClass, 'unknown'>> = new Map([
  ...safeRpcMethods.map((method) => [method, 'safe'] as const),
  ...notSafeRpcMethods.map((method) => [method, 'notSafe'] as const),
  ...refusedRpcMethods.map((method) => [method, 'refused'] as const),
])

/** Exact comparison: not `ETH_CALL` or `eth_call `. */
export function classifyRpcMethod(method: string): RpcMethodClass {
  return classes.get(method) ?? 'unknown'
}
