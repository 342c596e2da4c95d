import type { Namespace } from '@postern/protocol'
import { bip122 } from './bip122'
import { eip155 } from './eip155'
import type { NamespaceFeatures } from './namespace-features'
import { solana } from './solana'

export const namespaceFeatures: Readonly<Record<Namespace, NamespaceFeatures>> = { eip155, solana, bip122 }
