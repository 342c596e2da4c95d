import type { ErrorTexts } from './entry'

export const moneyErrors = {
  /* ---- money */
  SWAP_NETWORK_NOT_SUPPORTED: {
    message: 'Network not supported for Swaps',
    fix: 'Switch to a network that supports swaps.',
  },
  GAS_PRICE_NETWORK_NOT_SUPPORTED: {
    message: 'Network not supported for Gas Price',
    fix: 'Switch to a network that supports swaps.',
  },
  AMOUNT_AND_RECEIVER_REQUIRED: {
    message: 'An amount and receiver address are required',
    fix: 'Enter an amount and the receiver’s address.',
  },
  INSUFFICIENT_FUNDS: {
    // ethers and viem look for these two words.
    message: 'Insufficient funds for this amount plus the fee',
    rpc: -32000,
    fix: 'Send less, lower the fee rate, or wait until incoming funds are confirmed.',
  },
  TRANSACTION_MISMATCH: {
    message: 'The wallet signed a different transaction',
    fix: 'Nothing was sent. Check the wallet, and extensions that change what it signs, before trying again.',
  },
  TOKEN_REQUIRED: { message: 'A token is required', fix: 'Choose a token.' },
  TOKEN_BALANCE_UNAVAILABLE: { message: 'Token Balance Unavailable', fix: 'Try again in half a minute.' },
  TRANSACTIONS_UNAVAILABLE: { message: 'Failed to fetch transactions', fix: 'Try again in a moment.' },
  DISCONNECT_FAILED: {
    message: 'Failed to disconnect',
    fix: 'Try again, or disconnect in the wallet.',
  },

  /* ---- user input */
  EMAIL_COOLDOWN: {
    message: 'Please try again after {seconds} seconds',
    fix: 'Wait, then request another email.',
  },
  INVALID_DECIMAL: {
    message: 'Number is not a valid decimal number',
    fix: 'Enter digits with at most one point, for example 1.5.',
  },
  INVALID_ADDRESS: {
    message: 'Invalid address',
    fix: 'Check the recipient’s address: it’s not valid on this network.',
  },
} as const satisfies ErrorTexts
