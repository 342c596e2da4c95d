import type { Namespace } from '@postern/protocol'
import { bip122Dialect } from './bip122'
import type { Dialect } from './dialect'
import { eip155Dialect } from './eip155'
import { solanaDialect } from './solana'

export const dialects: { readonly [N in Namespace]: Dialect } = {
  eip155: eip155Dialect,
  solana: solanaDialect,
  bip122: bip122Dialect,
}
