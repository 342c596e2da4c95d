/** The devnet's tokens: addresses alone, for who only has to name them. */
import { solanaAccount } from './accounts'

/** "Solana Devnet Dollar" (SDUSD), of the original token program. */
export const solanaMint = solanaAccount(100).address
export const solanaMintDecimals = 6
/** A collectible: one of it, which cannot be divided, with Metaplex's metadata. */
export const solanaCollectible = solanaAccount(101).address
/** "Solana Devnet Levy" (SLEVY), of Token-2022: its mint holds its name and takes a fee of every transfer. */
export const solanaLevyMint = solanaAccount(102).address
export const solanaLevyDecimals = 6
/** What a transfer of it costs the recipient: hundredths of a per cent, rounded up, and the most, in smallest units. */
export const solanaLevyFee = { basisPoints: 100, most: 5_000_000n } as const
