import * as z from 'zod/mini'
import type { WalletNamespace } from '../namespaces'
import { eip155 } from '../namespaces/eip155'

/** Base64url. */
export const Sealed = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(4096))

/** EIP-191 by the wallet's EVM key: r, s, and 27 or 28. */
export const Signature = z.string().check(z.regex(/^0x[0-9a-fA-F]{130}$/))

/** `publicKey`: P-256, SPKI. `wrappedKey`: PKCS #8 in AES-GCM, under a key from passkey or passphrase. */
export const Recovery = z.discriminatedUnion('method', [
  z.object({ method: z.literal('gateway') }),
  z.object({
    method: z.literal('passkey'),
    publicKey: Sealed,
    wrappedKey: Sealed,
    credentialId: Sealed,
    salt: Sealed,
  }),
  z.object({
    method: z.literal('passphrase'),
    publicKey: Sealed,
    wrappedKey: Sealed,
    salt: Sealed,
    /** Argon2id: KiB, passes, lanes. */
    memory: z.int().check(z.gte(19_456), z.lte(1_048_576)),
    passes: z.int().check(z.gte(2), z.lte(16)),
    lanes: z.int().check(z.gte(1), z.lte(8)),
  }),
])
export type Recovery = z.infer<typeof Recovery>

/** Signs {@link recoveryProofText}. `generation` counts the choices of a method; 0 is `gateway`, without proof. */
export const RecoveryProof = z.object({
  generation: z.int().check(z.gte(1), z.lte(2_147_483_647)),
  signature: Signature,
})
export type RecoveryProof = z.infer<typeof RecoveryProof>

/** A jump to the limit would end all later choices. */
export const maxGenerationStep = 1_000

/** Detects a wrong share, which combines without an error. */
export const WalletAddresses = z.object({
  eip155: z.string().check(z.regex(eip155.address)),
  solana: z.string().check(z.maxLength(44)),
  /** Compressed public key of m/84'/0'/0'/0/0 in hex. */
  bip122: z.string().check(z.regex(/^0[23][0-9a-f]{64}$/)),
} satisfies Record<WalletNamespace, z.ZodMiniType<string>>)
export type WalletAddresses = z.infer<typeof WalletAddresses>

/** Signs {@link addressProofText}, at that recovery generation. */
export const AddressProof = z.object({
  generation: z.int().check(z.gte(0), z.lte(2_147_483_647)),
  signature: Signature,
})
export type AddressProof = z.infer<typeof AddressProof>

/** The wallet `from` signs {@link replacementText}. */
export const WalletReplacement = z.object({ from: WalletAddresses, signature: Signature })
export type WalletReplacement = z.infer<typeof WalletReplacement>

/** `at`: epoch ms on the signing device. */
const ended = {
  generation: z.int().check(z.gte(0), z.lte(2_147_483_647)),
  at: z.int().check(z.gte(0)),
  signature: Signature,
}

/** The ended wallet signs {@link walletEndText}. */
export const WalletEnd = z.discriminatedUnion('what', [
  z.object({ what: z.literal('deleted'), ...ended }),
  z.object({ what: z.literal('replaced'), to: WalletAddresses, ...ended }),
])
export type WalletEnd = z.infer<typeof WalletEnd>
export type WalletEndClaim =
  | Omit<Extract<WalletEnd, { what: 'deleted' }>, 'signature'>
  | Omit<Extract<WalletEnd, { what: 'replaced' }>, 'signature'>

/** Per device. */
export const maxWalletEnds = 16

export const WhichWallet = z.object({ which: z.optional(z.literal('previous')) })

/** `recoveryShare` is encrypted (plain for `gateway`). `proof`: over `shareProofText`. */
export const DeviceShares = z.object({
  deviceName: z.string().check(z.minLength(1), z.maxLength(128)),
  authShare: Sealed,
  recoveryShare: Sealed,
  proof: Signature,
  /** Older frames omit it. */
  addressProof: z.optional(AddressProof),
})
export type DeviceShares = z.infer<typeof DeviceShares>
