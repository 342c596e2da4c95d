import type { ErrorTexts } from './entry'

export const moneyErrors = {
  /* ---- money */
  SWAP_NETWORK_NOT_SUPPORTED: {
    message: 'Network not supported for Swaps',
    wayOut: 'Switch to a network where swaps are offered.',
  },
  GAS_PRICE_NETWORK_NOT_SUPPORTED: {
    message: 'Network not supported for Gas Price',
    wayOut: 'Switch to a network where swaps are offered.',
  },
  AMOUNT_AND_RECEIVER_REQUIRED: {
    message: 'An amount and receiver address are required',
    wayOut: 'Enter an amount and the receiver’s address.',
  },
  INSUFFICIENT_FUNDS: {
    message: 'The account has not enough for the amount and the fee',
    rpc: -32000,
    wayOut: 'Send less, lower the fee rate, or wait until what was received is confirmed.',
  },
  TRANSACTION_MISMATCH: {
    message: 'The wallet signed another transaction than it was asked to',
    wayOut: 'Nothing was sent. Look at the wallet, and at extensions that change what it signs, before trying again.',
  },
  TOKEN_REQUIRED: { message: 'A token is required', wayOut: 'Choose a token.' },
  TOKEN_BALANCE_UNAVAILABLE: { message: 'Token Balance Unavailable', wayOut: 'Try again in half a minute.' },
  TRANSACTIONS_UNAVAILABLE: { message: 'Failed to fetch transactions', wayOut: 'Try again in a moment.' },
  DISCONNECT_FAILED: {
    message: 'Failed to disconnect',
    wayOut: 'Try again, or end the connection in the wallet itself.',
  },

  /* ---- user input */
  EMAIL_COOLDOWN: {
    message: 'Please try again after {seconds} seconds',
    wayOut: 'Wait until the time is over, then ask for another email.',
  },
  INVALID_DECIMAL: {
    message: 'Number is not a valid decimal number',
    wayOut: 'Write digits with at most one point, for instance 1.5.',
  },
  INVALID_ADDRESS: {
    message: 'Invalid address',
    wayOut: 'Check the receiver’s address: it is not one of this network.',
  },
} as const satisfies ErrorTexts
