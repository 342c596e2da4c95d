import type { StandardNamespace } from '@postern/protocol/namespaces'
import { finder as bip122 } from './bip122/find'
import type { Finder } from './contract'
import { finder as solana } from './solana/find'

export const finders: Readonly<Record<StandardNamespace, Finder>> = { solana, bip122 }
