/** Every RPC method (spec §5, §6, interop §1). Other lists filter this table; a method without a row is denied. */
import type { Namespace } from './caip'
import { composedMethods } from './composed-methods'

export type MethodFacts = {
  readonly namespace: Namespace
  /**
   * - `safe`: needs no approval.
   * - `notSafe`: needs approval.
   * - `composed`: the host runs other methods. Wallets and endpoints never get it.
   * - `connection`: served by page, host and connector.
   * - `refused`: signs, sends or decrypts. The user is told (spec §8).
   */
  readonly risk: 'safe' | 'notSafe' | 'composed' | 'connection' | 'refused'
  readonly node?: true
  /** ERC-4337. `operation`: parameters begin with user operation and entry point. */
  readonly bundler?: 'operation' | 'lookup'
  readonly pageWallet?: true
  /**
   * Set if sending it twice may pay twice: without a response, the outcome is unknown.
   *
   * - `transaction`: always.
   * - `ifBroadcast`: with `broadcast: true`. Otherwise the caller broadcasts, which needs the response.
   * - `permission`: a user operation of the embedded smart account; other wallets only change a setting.
   */
  readonly sends?: 'transaction' | 'ifBroadcast' | 'permission'
  /** Uses the next nonce or coins: runs one at a time. */
  readonly inTurn?: true
  /** The previous embedded wallet serves it too. */
  readonly movesAssets?: true
  readonly names?: NamedAccounts
}

/**
 * Where a request names its account: parameter, or fields of the first parameter.
 * `paramOrMessage`: one of these; the other is a message, which may look like an address.
 */
export type NamedAccounts =
  | { readonly param: number }
  | { readonly paramOrMessage: readonly number[] }
  | { readonly fields: readonly string[] }

const evmRead = { namespace: 'eip155', risk: 'safe', node: true } as const
const solanaRead = { namespace: 'solana', risk: 'safe', node: true } as const
/** Served from Esplora (docs/guides/bitcoin.md). */
const bitcoinRead = { namespace: 'bip122', risk: 'safe' } as const
const refused = { namespace: 'eip155', risk: 'refused' } as const
const evmConnection = { namespace: 'eip155', risk: 'connection', pageWallet: true } as const
const solanaConnection = { namespace: 'solana', risk: 'connection', pageWallet: true } as const
const bitcoinConnection = { namespace: 'bip122', risk: 'connection', pageWallet: true } as const
const evmSigning = { namespace: 'eip155', risk: 'notSafe', pageWallet: true } as const
const bitcoinSigning = { namespace: 'bip122', risk: 'notSafe', pageWallet: true } as const
const solanaSigning = {
  namespace: 'solana',
  risk: 'notSafe',
  pageWallet: true,
  names: { fields: ['pubkey'] },
} as const

export const rpcMethods = {
  eth_accounts: { namespace: 'eip155', risk: 'safe', pageWallet: true },
  eth_requestAccounts: evmConnection,
  eth_chainId: { ...evmRead, pageWallet: true },
  wallet_switchEthereumChain: evmConnection,
  wallet_addEthereumChain: evmConnection,
  solana_getAccounts: { namespace: 'solana', risk: 'safe', pageWallet: true },
  solana_requestAccounts: solanaConnection,
  solana_disconnect: solanaConnection,
  bip122_getAccountAddresses: { namespace: 'bip122', risk: 'safe', pageWallet: true },
  bip122_requestAccounts: bitcoinConnection,
  bip122_disconnect: bitcoinConnection,
  bip122_getNetwork: bitcoinConnection,
  bip122_switchNetwork: bitcoinConnection,

  personal_sign: { ...evmSigning, names: { paramOrMessage: [0, 1] } },
  eth_signTypedData_v4: { ...evmSigning, names: { param: 0 } },
  eth_sendTransaction: {
    ...evmSigning,
    sends: 'transaction',
    inTurn: true,
    movesAssets: true,
    names: { fields: ['from'] },
  },
  /** Embedded smart account only. */
  eth_sendUserOperation: {
    namespace: 'eip155',
    risk: 'notSafe',
    bundler: 'operation',
    sends: 'transaction',
    inTurn: true,
    names: { fields: ['sender'] },
  },
  wallet_sendCalls: {
    ...evmSigning,
    sends: 'transaction',
    inTurn: true,
    movesAssets: true,
    names: { fields: ['from'] },
  },
  wallet_grantPermissions: {
    namespace: 'eip155',
    risk: 'notSafe',
    sends: 'permission',
    inTurn: true,
    names: { fields: ['account', 'address', 'from'] },
  },
  wallet_revokePermissions: {
    ...evmSigning,
    sends: 'permission',
    inTurn: true,
    names: { fields: ['account', 'address', 'from'] },
  },
  solana_signMessage: solanaSigning,
  solana_signTransaction: solanaSigning,
  solana_signAllTransactions: solanaSigning,
  solana_signAndSendTransaction: { ...solanaSigning, sends: 'transaction', movesAssets: true },
  bip122_signMessage: { ...bitcoinSigning, names: { fields: ['address'] } },
  /** The wallet signs only its own inputs. */
  bip122_signPsbt: { ...bitcoinSigning, sends: 'ifBroadcast' },
  bip122_sendTransfer: {
    ...bitcoinSigning,
    sends: 'transaction',
    inTurn: true,
    movesAssets: true,
    names: { fields: ['account'] },
  },

  ...composedMethods,

  // Served by wallets only
  wallet_getAssets: { namespace: 'eip155', risk: 'safe', pageWallet: true },
  wallet_getCallsStatus: { namespace: 'eip155', risk: 'safe', pageWallet: true },
  wallet_getCapabilities: { namespace: 'eip155', risk: 'safe', pageWallet: true },

  eth_blobBaseFee: evmRead,
  eth_blockNumber: evmRead,
  eth_call: evmRead,
  eth_createAccessList: evmRead,
  eth_estimateGas: evmRead,
  eth_estimateUserOperationGas: { ...evmRead, bundler: 'operation' },
  eth_feeHistory: evmRead,
  eth_gasPrice: evmRead,
  eth_getAccount: evmRead,
  eth_getBalance: evmRead,
  eth_getBlockByHash: evmRead,
  eth_getBlockByNumber: evmRead,
  eth_getBlockReceipts: evmRead,
  eth_getBlockTransactionCountByHash: evmRead,
  eth_getBlockTransactionCountByNumber: evmRead,
  eth_getCode: evmRead,
  eth_getFilterChanges: evmRead,
  eth_getFilterLogs: evmRead,
  eth_getLogs: evmRead,
  eth_getProof: evmRead,
  eth_getStorageAt: evmRead,
  eth_getTransactionByBlockHashAndIndex: evmRead,
  eth_getTransactionByBlockNumberAndIndex: evmRead,
  eth_getTransactionByHash: evmRead,
  eth_getTransactionCount: evmRead,
  eth_getTransactionReceipt: evmRead,
  eth_getUncleByBlockHashAndIndex: evmRead,
  eth_getUncleByBlockNumberAndIndex: evmRead,
  eth_getUncleCountByBlockHash: evmRead,
  eth_getUncleCountByBlockNumber: evmRead,
  eth_getUserOperationByHash: { ...evmRead, bundler: 'lookup' },
  eth_getUserOperationReceipt: { ...evmRead, bundler: 'lookup' },
  eth_maxPriorityFeePerGas: evmRead,
  eth_newBlockFilter: evmRead,
  eth_newFilter: evmRead,
  eth_newPendingTransactionFilter: evmRead,
  /** Already signed, like Solana's `sendTransaction` and `bip122_sendRawTransaction`. */
  eth_sendRawTransaction: evmRead,
  eth_simulateV1: evmRead,
  eth_supportedEntryPoints: { ...evmRead, bundler: 'lookup' },
  eth_syncing: evmRead,
  eth_uninstallFilter: evmRead,

  getAccountInfo: solanaRead,
  getBalance: solanaRead,
  getBlockHeight: solanaRead,
  getBlockTime: solanaRead,
  getEpochInfo: solanaRead,
  getFeeForMessage: solanaRead,
  getGenesisHash: solanaRead,
  getLatestBlockhash: solanaRead,
  getMinimumBalanceForRentExemption: solanaRead,
  getMultipleAccounts: solanaRead,
  getRecentPrioritizationFees: solanaRead,
  getSignatureStatuses: solanaRead,
  getSignaturesForAddress: solanaRead,
  getSlot: solanaRead,
  getTokenAccountBalance: solanaRead,
  getTokenAccountsByOwner: solanaRead,
  getTokenSupply: solanaRead,
  getTransaction: solanaRead,
  getVersion: solanaRead,
  isBlockhashValid: solanaRead,
  sendTransaction: solanaRead,
  simulateTransaction: solanaRead,

  bip122_getBalance: bitcoinRead,
  bip122_getFeeEstimates: bitcoinRead,
  bip122_getTransaction: bitcoinRead,
  bip122_getUtxos: bitcoinRead,
  bip122_sendRawTransaction: bitcoinRead,

  eth_sign: refused,
  eth_signTransaction: refused,
  eth_signTypedData: refused,
  eth_signTypedData_v1: refused,
  eth_signTypedData_v3: refused,
  eth_decrypt: refused,
  personal_sendTransaction: refused,
  personal_signTransaction: refused,
} as const satisfies Readonly<Record<string, MethodFacts>>

export type RpcMethod = keyof typeof rpcMethods

/** Exact match: `ETH_CALL`, `eth_call ` and `constructor` have no row. */
export function factsOfMethod(method: string): MethodFacts | undefined {
  return isMethod(method) ? rpcMethods[method] : undefined
}

function isMethod(method: string): method is RpcMethod {
  return Object.hasOwn(rpcMethods, method)
}

export function methodsThat(are: (facts: MethodFacts) => boolean): readonly RpcMethod[] {
  return Object.keys(rpcMethods)
    .filter(isMethod)
    .filter((method) => are(rpcMethods[method]))
}

/** `unknown`: may be a probe, so the user is not told. */
export type RpcMethodClass = 'safe' | 'notSafe' | 'refused' | 'unknown'

export function classifyRpcMethod(method: string): RpcMethodClass {
  const risk = factsOfMethod(method)?.risk ?? 'unknown'
  return risk === 'composed' || risk === 'connection' ? 'unknown' : risk
}

export function isSendingRpcMethod(method: string): boolean {
  return factsOfMethod(method)?.sends !== undefined
}

export function isSendingRpcRequest(method: string, params: unknown): boolean {
  const sends = factsOfMethod(method)?.sends
  return sends !== undefined && (sends !== 'ifBroadcast' || asksToBroadcast(params))
}

export function sendsTransaction(method: string, params: unknown): boolean {
  const { risk, sends } = factsOfMethod(method) ?? {}
  return risk === 'notSafe' && sends !== 'permission' && isSendingRpcRequest(method, params)
}

function asksToBroadcast(params: unknown): boolean {
  const named: unknown = Array.isArray(params) ? params[0] : params
  return typeof named === 'object' && named !== null && 'broadcast' in named && named.broadcast === true
}

export type WalletRequestMethod = {
  readonly [M in RpcMethod]: (typeof rpcMethods)[M] extends { readonly pageWallet: true } ? M : never
}[RpcMethod]

export function isWalletRequestMethod(method: string): method is WalletRequestMethod {
  return factsOfMethod(method)?.pageWallet === true
}

export const walletRequestMethods: readonly WalletRequestMethod[] =
  Object.keys(rpcMethods).filter(isWalletRequestMethod)
