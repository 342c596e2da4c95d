/** Every constant of spec §9 (and those of §4, §5 and §7), named once. Durations are milliseconds unless a name says otherwise. */
export const limits = {
  /* ---- caches and lists */
  /** How long a portfolio of balances is shown before it is asked for again. */
  portfolioCache: 30_000,
  nativeBalanceCache: 30_000,
  ensCache: 5 * 60_000,
  identityCache: 5 * 60_000,
  /** Wallets kept in the recent list. */
  recentWallets: 2,
  /** Wallets in one page of the directory. */
  walletPageEntries: 40,
  /** Recommended wallets shown on Connect. */
  recommendedWallets: 4,
  /** Wallets asked for in one search of the directory. */
  walletSearchEntries: 100,

  /* ---- connecting */
  /** Between two emails to one visitor; the last time is stored (spec §5). */
  emailLoginCooldown: 30_000,
  /** A pairing with less than this left counts as expired (spec §4). */
  pairingExpiryThreshold: 10_000,
  /** Life of a new pairing. */
  pairingLifetime: 4 * 60_000,
  /** A failed connection may be retried after this. */
  connectRetryDelay: 1_000,
  imagePreloadTimeout: 2_000,
  /** Default debounce of typing. */
  debounce: 500,

  /* ---- frames */
  /** From the frame's creation to its readiness; then IFRAME_LOAD_FAILED. */
  iframeReadyTimeout: 20_000,
  /** Requests to the embedded wallet that wait for email, code or social sign-in. */
  walletFrameRequestTimeout: 30_000,
  /** Wait after the embedded wallet's frame said that it is ready. */
  walletFrameReadyDelay: 500,
  /** From the refusal of a disallowed method to its message in the opened modal (spec §8). */
  refusedMethodMessageDelay: 300,

  /* ---- JSON-RPC and transactions */
  rpcTimeout: 10_000,
  rpcPollingInterval: 4_000,
  /** Requests in one JSON-RPC batch. */
  rpcBatchSize: 1_000,
  /** How long a batch waits for company: it does not. */
  rpcBatchWait: 0,
  /** Bytes of call data in one multicall. */
  multicallBatchBytes: 1_024,
  /** The watch for pending transactions ends after this many events. */
  pendingTransactionEvents: 99,
  pendingTransactionPollingInterval: 30_000,
  receiptTimeout: 180_000,
  receiptRetries: 6,
  sendTransactionWait: 25_000,
  tokenBalanceRetryDelay: 30_000,
  /** Per cent. */
  swapSlippagePercent: 1,

  /* ---- on-ramp, in the fiat currency's units, where the provider names no limits */
  onrampCard: { min: 10, max: 7_500 },
  onrampBank: { min: 10, max: 25_000 },

  /* ---- numbers on screen */
  /** Decimals of the balance, rounded down. */
  balanceDecimals: 3,
  tokenBalanceDecimals: 2,
  transferDecimals: 3,
  /** Shown instead of a native balance on test networks and unsupported ones. */
  noBalance: '0.00',
  /** Characters of an address kept at either end. */
  addressHead: 4,
  addressTail: 6,
  /** Decimals of each namespace's native currency. */
  nativeDecimals: { eip155: 18, solana: 9, bip122: 8 },

  /* ---- interface */
  snackbarReshowDelay: 150,
  shake: 500,
  /** CSS pixels. */
  modalWidth: 360,
  headerTextAnimation: 120,
  modalHeightAnimation: 150,
  viewTransition: 150,
  zIndex: 999,
  fontFamily: 'Inter',

  /* ---- embedded wallet */
  walletSdkVersion: 4,
  walletLogLevel: 'error',
  /** EVM chain id that the embedded wallet starts on. */
  walletChainId: 1,
} as const

/** EVM chain ids where swaps are offered (spec §9). */
export const swapChainIds: readonly number[] = [1, 10, 56, 100, 137, 250, 324, 8453, 8217, 42161, 43114, 1313161554]

/** Sign before the amount of a transaction's description (spec §9); operations that are not named carry none. */
export const operationSigns: ReadonlyMap<string, '+' | '-'> = new Map([
  ['receive', '+'],
  ['deposit', '+'],
  ['borrow', '+'],
  ['claim', '+'],
  ['withdraw', '-'],
  ['repay', '-'],
  ['burn', '-'],
])
