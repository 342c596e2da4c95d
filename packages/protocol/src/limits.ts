/** Constants of spec §9, §4, §5 and §7. Durations in ms. Do not destructure: that bundles all of them. */
import { byNamespace } from './namespaces'
import { namespaceFacts } from './namespaces/facts'

export const portfolioCache = 30_000
export const nativeBalanceCache = 30_000
export const ensCache = 5 * 60_000
export const identityCache = 5 * 60_000
export const recentWallets = 2
export const walletPageEntries = 40
export const recommendedWallets = 4
export const walletSearchEntries = 100

/** Between sign-in emails (spec §5). Gateway: per address and device. Modal: per dapp. */
export const emailLoginCooldownMs = 30_000
export const emailCodeLifetimeMs = 10 * 60_000
/** Lifetime of an email sign-in, its link, and the approval by that link. */
export const emailFlowLifetimeMs = 30 * 60_000
/** Less time left counts as expired (spec §4). */
export const pairingExpiryThreshold = 10_000
export const pairingLifetime = 4 * 60_000
export const connectRetryDelay = 1_000
export const debounce = 500

/** Then LOAD_FAILED for the modal, IFRAME_LOAD_FAILED for the wallet. */
export const iframeReadyTimeout = 20_000
export const walletFrameRequestTimeout = 30_000
/** After READY. */
export const walletFrameReadyDelay = 500
export const refusedMethodMessageDelay = 300

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

/* ---- on-ramp, in fiat units, if the provider sets none */
export const onrampCard = { min: 10, max: 7_500 } as const
export const onrampBank = { min: 10, max: 25_000 } as const

/** Rounded down. */
export const balanceDecimals = 3
export const tokenBalanceDecimals = 2
export const transferDecimals = 3
/** On test and unsupported networks. */
export const noBalance = '0.00'
/** Characters shown at each end. */
export const addressHead = 4
export const addressTail = 6
export const nativeDecimals = /* @__PURE__ */ byNamespace((namespace) => namespaceFacts[namespace].decimals)

export const snackbarReshowDelay = 150
export const shake = 500
/** CSS px. */
export const modalWidth = 360
export const headerTextAnimation = 120
export const modalHeightAnimation = 150
export const viewTransition = 150
export const zIndex = 999

/** For the former address: to freeze the account. Also the length of a freeze, and the min age of an older device. */
export const addressChangeUndoMs = 7 * 24 * 60 * 60_000
export const walletSdkVersion = 4
export const walletLogLevel: 'error' | 'silent' = 'error'
export const walletChainId = 1
