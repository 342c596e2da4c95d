import type { Namespace } from '@postern/protocol'
import { bip122Dialect } from '../../bip122/walletconnect'
import { eip155Dialect } from '../../eip155/walletconnect'
import { solanaDialect } from '../../solana/walletconnect'
import type { Dialect } from './dialect'

export const dialects: { readonly [N in Namespace]: Dialect } = {
  eip155: eip155Dialect,
  solana: solanaDialect,
  bip122: bip122Dialect,
}
