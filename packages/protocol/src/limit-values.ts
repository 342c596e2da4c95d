/** Every constant of spec §9 (and those of §4, §5 and §7), named once. Durations are milliseconds unless a name says otherwise. */

/* ---- caches and lists */
/** How long a portfolio of balances is shown before it is asked for again. */
export const portfolioCache = 30_000
export const nativeBalanceCache = 30_000
export const ensCache = 5 * 60_000
export const identityCache = 5 * 60_000
/** Wallets kept in the recent list. */
export const recentWallets = 2
/** Wallets in one page of the directory. */
export const walletPageEntries = 40
/** Recommended wallets shown on Connect. */
export const recommendedWallets = 4
/** Wallets asked for in one search of the directory. */
export const walletSearchEntries = 100

/* ---- connecting */
/** Between two emails to one visitor; the last time is stored (spec §5). */
export const emailLoginCooldown = 30_000
/** A pairing with less than this left counts as expired (spec §4). */
export const pairingExpiryThreshold = 10_000
/** Life of a new pairing. */
export const pairingLifetime = 4 * 60_000
/** A failed connection may be retried after this. */
export const connectRetryDelay = 1_000
export const imagePreloadTimeout = 2_000
/** Default debounce of typing. */
export const debounce = 500

/* ---- frames */
/** From the frame's creation to its readiness; then IFRAME_LOAD_FAILED. */
export const iframeReadyTimeout = 20_000
/** Requests to the embedded wallet that wait for email, code or social sign-in. */
export const walletFrameRequestTimeout = 30_000
/** Wait after the embedded wallet's frame said that it is ready. */
export const walletFrameReadyDelay = 500
/** From the refusal of a disallowed method to its message in the opened modal (spec §8). */
export const refusedMethodMessageDelay = 300

/* ---- JSON-RPC and transactions */
export const rpcTimeout = 10_000
export const rpcPollingInterval = 4_000
/** Requests in one JSON-RPC batch. */
export const rpcBatchSize = 1_000
/** How long a batch waits for company: it does not. */
export const rpcBatchWait = 0
/** Bytes of call data in one multicall. */
export const multicallBatchBytes = 1_024
/** The watch for pending transactions ends after this many events. */
export const pendingTransactionEvents = 99
export const pendingTransactionPollingInterval = 30_000
export const receiptTimeout = 180_000
export const receiptRetries = 6
export const sendTransactionWait = 25_000
export const tokenBalanceRetryDelay = 30_000
/** Per cent. */
export const swapSlippagePercent = 1

/* ---- on-ramp, in the fiat currency's units, where the provider names no limits */
export const onrampCard = { min: 10, max: 7_500 } as const
export const onrampBank = { min: 10, max: 25_000 } as const

/* ---- numbers on screen */
/** Decimals of the balance, rounded down. */
export const balanceDecimals = 3
export const tokenBalanceDecimals = 2
export const transferDecimals = 3
/** Shown instead of a native balance on test networks and unsupported ones. */
export const noBalance = '0.00'
/** Characters of an address kept at either end. */
export const addressHead = 4
export const addressTail = 6
/** Decimals of each namespace's native currency. */
export const nativeDecimals = { eip155: 18, solana: 9, bip122: 8 } as const

/* ---- interface */
export const snackbarReshowDelay = 150
export const shake = 500
/** CSS pixels. */
export const modalWidth = 360
export const headerTextAnimation = 120
export const modalHeightAnimation = 150
export const viewTransition = 150
export const zIndex = 999
export const fontFamily = 'Inter'

/* ---- embedded wallet */
export const walletSdkVersion = 4
export const walletLogLevel = 'error'
/** EVM chain id that the embedded wallet starts on. */
export const walletChainId = 1
