/** The devnet's SPL tokens: addresses alone, for who only has to name them. */
import { solanaAccount } from './accounts'

/** "Solana Devnet Dollar" (SDUSD), of the original token program. */
export const solanaMint = solanaAccount(100).address
export const solanaMintDecimals = 6
/** A collectible: one of it, which cannot be divided, with Metaplex's metadata. */
export const solanaCollectible = solanaAccount(101).address
