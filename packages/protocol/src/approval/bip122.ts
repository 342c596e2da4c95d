import * as z from 'zod/mini'
import { ReplacementKind, SentHash } from '../wallet-frame/entities'
import { Address, Base64 } from './fields'

/**
 * A transaction of this wallet that is being replaced: another one spends the same coins.
 * `hash` and `psbt` (unsigned): of the first version. `newest`: id of the last version.
 */
const ReplacedPsbt = z.object({
  kind: ReplacementKind,
  hash: SentHash,
  newest: SentHash,
  psbt: Base64,
})

export const bip122Subjects = [
  /** bip122_signMessage: BIP-322 simple (or legacy ECDSA) over the text. */
  z.object({
    kind: z.literal('bip122.message'),
    address: Address,
    message: z.string().check(z.maxLength(65_536)),
    protocol: z.enum(['ecdsa', 'bip322']),
  }),
  /** bip122_signPsbt and bip122_sendTransfer: the PSBT in base64. */
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
