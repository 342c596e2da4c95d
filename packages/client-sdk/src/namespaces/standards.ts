import type { StandardNamespace } from '@postern/protocol/namespaces'
import { standard as bip122 } from './bip122/standard'
import type { StandardFacts } from './contract'
import { standard as solana } from './solana/standard'

export const standards: Readonly<Record<StandardNamespace, StandardFacts>> = { solana, bip122 }
