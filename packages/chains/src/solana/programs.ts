import { token2022Program, tokenProgram } from './token-account'

/** Sources: https://solana.com/docs/core/programs, https://github.com/solana-program */
export const programs = {
  system: '11111111111111111111111111111111',
  token: tokenProgram,
  token2022: token2022Program,
  associated: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
} as const
