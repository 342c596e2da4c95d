import * as z from 'zod/mini'
import { ReplacementKind, SentHash } from '../wallet-frame/entities'
import { Address, Base64 } from './fields'

/**
 * A transaction of this wallet whose coins another one spends. `hash`, `psbt`: first version. `newest`: last version.
 */
const ReplacedPsbt = z.object({
  kind: ReplacementKind,
  hash: SentHash,
  newest: SentHash,
  psbt: Base64,
})

export const bip122Subjects = [
  /** BIP-322 simple, or legacy ECDSA. */
  z.object({
    kind: z.literal('bip122.message'),
    address: Address,
    message: z.string().check(z.maxLength(65_536)),
    protocol: z.enum(['ecdsa', 'bip322']),
  }),
  z.object({
    kind: z.literal('bip122.psbt'),
    address: Address,
    psbt: Base64,
    /** Inputs to sign. */
    inputs: z.array(z.object({ index: z.int().check(z.gte(0)), sighash: z.optional(z.int()) })),
    sends: z.boolean(),
    replaces: z.optional(ReplacedPsbt),
  }),
] as const
