import type { SignInMessage } from '../../types'

const common = {
  domain: 'app.example',
  uri: 'https://app.example/login',
  version: '1',
  nonce: '32891756',
  statement: 'I accept the Terms of Service: https://app.example/tos',
  issuedAt: '2026-01-31T12:00:00.000Z',
} as const

export const evmMessage: SignInMessage = {
  ...common,
  chainId: 'eip155:1',
  accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
}

export const solanaMessage: SignInMessage = {
  ...common,
  chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  accountAddress: 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1',
}

export const bitcoinMessage: SignInMessage = {
  ...common,
  chainId: 'bip122:000000000019d6689c085ae165831e93',
  accountAddress: 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
}

export const everyNamespace = [evmMessage, solanaMessage, bitcoinMessage]
