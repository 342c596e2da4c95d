/**
 * Constants of spec §9, §4, §5 and §7. Durations are in ms.
 * Exported as the namespace `limits`. Do not destructure it: that would bundle all of them.
 */
import { byNamespace } from './namespaces'
import { namespaceFacts } from './namespaces/facts'

/* ---- caches and lists */
export const portfolioCache = 30_000
export const nativeBalanceCache = 30_000
export const ensCache = 5 * 60_000
export const identityCache = 5 * 60_000
export const recentWallets = 2
export const walletPageEntries = 40
/** Max recommended wallets on Connect. */
export const recommendedWallets = 4
export const walletSearchEntries = 100

/* ---- connecting */
/** Min time between sign-in emails (spec §5). Gateway: per address and device. Modal: per dapp. */
export const emailLoginCooldownMs = 30_000
export const emailCodeLifetimeMs = 10 * 60_000
/** Lifetime of an email sign-in, its link for a new device, and the approval by that link. */
export const emailFlowLifetimeMs = 30 * 60_000
/** A pairing with less time left counts as expired (spec §4). */
export const pairingExpiryThreshold = 10_000
export const pairingLifetime = 4 * 60_000
export const connectRetryDelay = 1_000
/** Debounce of text input. */
export const debounce = 500

/* ---- frames */
/** After it: LOAD_FAILED for the modal, IFRAME_LOAD_FAILED for the wallet. */
export const iframeReadyTimeout = 20_000
/** Timeout of email, code and social sign-in requests. */
export const walletFrameRequestTimeout = 30_000
/** Delay after the frame reports ready. */
export const walletFrameReadyDelay = 500
/** Delay before the modal reports a rejected method (spec §8). */
export const refusedMethodMessageDelay = 300

/* ---- JSON-RPC and transactions */
export const rpcTimeout = 10_000
export const rpcPollingInterval = 4_000
export const rpcBatchSize = 1_000
export const rpcBatchWait = 0
export const multicallBatchBytes = 1_024
export const pendingTransactionEvents = 99
export const pendingTransactionPollingInterval = 30_000
export const receiptTimeout = 180_000
export const receiptRetries = 6
export const sendTransactionWait = 25_000
export const tokenBalanceRetryDelay = 30_000
export const swapSlippagePercent = 1

/* ---- on-ramp limits in fiat units, if the provider sets none */
export const onrampCard = { min: 10, max: 7_500 } as const
export const onrampBank = { min: 10, max: 25_000 } as const

/* ---- number formats */
/** Balances are rounded down. */
export const balanceDecimals = 3
export const tokenBalanceDecimals = 2
export const transferDecimals = 3
/** Balance shown on test and unsupported networks. */
export const noBalance = '0.00'
/** Characters at each end of a truncated address. */
export const addressHead = 4
export const addressTail = 6
export const nativeDecimals = /* @__PURE__ */ byNamespace((namespace) => namespaceFacts[namespace].decimals)

/* ---- interface */
export const snackbarReshowDelay = 150
export const shake = 500
/** In CSS px. */
export const modalWidth = 360
export const headerTextAnimation = 120
export const modalHeightAnimation = 150
export const viewTransition = 150
export const zIndex = 999

/* ---- embedded wallet */
/**
 * How long the former email address can freeze the account, and how long a freeze lasts.
 * Also the min age of a device that counts as older than a change of the address.
 */
export const addressChangeUndoMs = 7 * 24 * 60 * 60_000
export const walletSdkVersion = 4
/** `error`: the frame logs only the kind of an unexpected error. */
export const walletLogLevel: 'error' | 'silent' = 'error'
/** Initial EVM chain id. */
export const walletChainId = 1
