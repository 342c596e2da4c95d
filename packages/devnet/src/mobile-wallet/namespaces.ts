import type { Namespace } from '@postern/protocol'
import { bip122 } from './bip122'
import type { MobileNamespace } from './contract'
import { eip155 } from './eip155'
import { solana } from './solana'

/** What the wallet does in each namespace. */
export const mobileNamespaces: Readonly<Record<Namespace, MobileNamespace>> = { eip155, solana, bip122 }
