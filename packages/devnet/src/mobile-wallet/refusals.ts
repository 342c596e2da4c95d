/** Source: https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes */
export const refusals = {
  rejected: { code: 5000, message: 'User rejected.' },
  unsupportedChains: { code: 5100, message: 'Unsupported chains.' },
  disconnected: { code: 6000, message: 'User disconnected.' },
} as const
