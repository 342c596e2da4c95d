import type { StandardNamespace } from '@postern/protocol/namespaces'
import { standard as bip122 } from './bip122/standard'
import type { StandardFacts } from './contract'
import { standard as solana } from './solana/standard'

/** How Postern announces itself to the apps of each namespace of the Wallet Standard. */
export const standards: Readonly<Record<StandardNamespace, StandardFacts>> = { solana, bip122 }
