/** The devnet's SPL token. */
import { solanaAccount } from './accounts'

export const tokenProgramId = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** Source: https://github.com/solana-program/associated-token-account */
export const associatedTokenProgramId = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** "Solana Devnet Dollar" (SDUSD), whose mint is of the original token program. */
export const solanaMint = solanaAccount(100).address
export const solanaMintDecimals = 6
