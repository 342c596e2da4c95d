import type { ErrorTexts } from './entry'

export const moneyErrors = {
  /* ---- money */
  SWAP_NETWORK_NOT_SUPPORTED: { message: 'Network not supported for Swaps' },
  GAS_PRICE_NETWORK_NOT_SUPPORTED: { message: 'Network not supported for Gas Price' },
  AMOUNT_AND_RECEIVER_REQUIRED: { message: 'An amount and receiver address are required' },
  INSUFFICIENT_FUNDS: {
    // ethers and viem search the message for "insufficient funds".
    message: 'Insufficient funds for this amount plus the fee',
    rpc: -32000,
  },
  /** The message ends with the missing amount. */
  FEE_NOT_COVERED: { message: 'Your balance doesn’t cover the higher fee', rpc: -32000 },
  TRANSACTION_MINED: { message: 'This transaction already went through' },
  REPLACEMENT_UNDERPRICED: { message: 'The network wants a higher fee to replace this transaction' },
  TRANSACTION_MISMATCH: { message: 'The wallet signed a different transaction' },
  TOKEN_REQUIRED: { message: 'A token is required' },
  TOKEN_BALANCE_UNAVAILABLE: { message: 'Token Balance Unavailable' },
  TRANSACTIONS_UNAVAILABLE: { message: 'Failed to fetch transactions' },
  DISCONNECT_FAILED: { message: 'Failed to disconnect' },

  /* ---- user input */
  INVALID_DECIMAL: { message: 'Number is not a valid decimal number' },
  INVALID_ADDRESS: { message: 'Invalid address' },
} as const satisfies ErrorTexts
