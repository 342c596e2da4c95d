/** Addresses only. */
import { solanaAccount } from './accounts'

/** SDUSD, of the original token program. */
export const solanaMint = solanaAccount(100).address
export const solanaMintDecimals = 6
/** A single indivisible token with Metaplex metadata. */
export const solanaCollectible = solanaAccount(101).address
/** SLEVY, of Token-2022: its mint has a name and a transfer fee. */
export const solanaLevyMint = solanaAccount(102).address
export const solanaLevyDecimals = 6
/** The recipient pays it; rounded up, max in base units. */
export const solanaLevyFee = { basisPoints: 100, max: 5_000_000n } as const
