import type { Namespace } from '@postern/protocol'
import { bip122 } from './bip122'
import { eip155 } from './eip155'
import type { NamespaceReader } from './namespace-reader'
import { solana } from './solana'

export const namespaceReaders: Readonly<Record<Namespace, NamespaceReader>> = { eip155, solana, bip122 }
