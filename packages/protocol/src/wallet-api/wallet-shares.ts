/** Key shares, recovery, and proofs by the wallet's key, as the calls of `walletApi` carry them. */
import * as z from 'zod/mini'
import type { WalletNamespace } from '../namespaces'
import { eip155 } from '../namespaces/eip155'

/** Base64url. */
export const Sealed = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(4096))

/** 0x and 65 bytes: r, s, and 27 or 28. */
export const Signature = z.string().check(z.regex(/^0x[0-9a-fA-F]{130}$/))

/**
 * How to decrypt the recovery share. `publicKey`: P-256, SPKI.
 * `wrappedKey`: the private key (PKCS #8), AES-GCM under a key from the passkey or passphrase.
 */
export const Recovery = z.discriminatedUnion('method', [
  z.object({ method: z.literal('gateway') }),
  z.object({
    method: z.literal('passkey'),
    publicKey: Sealed,
    wrappedKey: Sealed,
    credentialId: Sealed,
    /** Salt of the PRF extension. */
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

/**
 * The owner's choice of a recovery method: EIP-191 by the EVM key over {@link recoveryProofText}.
 * `generation` counts the choices. Generation 0 is `gateway`, without proof.
 */
export const RecoveryProof = z.object({
  generation: z.int().check(z.gte(1), z.lte(2_147_483_647)),
  signature: Signature,
})
export type RecoveryProof = z.infer<typeof RecoveryProof>

/** Max step from one generation to the next: a jump to the limit would end all later choices. */
export const maxGenerationStep = 1_000

/** Checked against a rebuilt key, because combining a wrong share gives no error. */
export const WalletAddresses = z.object({
  eip155: z.string().check(z.regex(eip155.address)),
  solana: z.string().check(z.maxLength(44)),
  /** Compressed public key of m/84'/0'/0'/0/0 in hex, for every network's address. */
  bip122: z.string().check(z.regex(/^0[23][0-9a-f]{64}$/)),
} satisfies Record<WalletNamespace, z.ZodMiniType<string>>)
export type WalletAddresses = z.infer<typeof WalletAddresses>

/**
 * The wallet's key proves all addresses: EIP-191 by the EVM key over {@link addressProofText}.
 * `generation`: of the recovery method at that time, 0 without {@link RecoveryProof}.
 */
export const AddressProof = z.object({
  generation: z.int().check(z.gte(0), z.lte(2_147_483_647)),
  signature: Signature,
})
export type AddressProof = z.infer<typeof AddressProof>

/** The previous wallet, and its EIP-191 signature over {@link replacementText}. */
export const WalletReplacement = z.object({ from: WalletAddresses, signature: Signature })
export type WalletReplacement = z.infer<typeof WalletReplacement>

/** `generation`: of the recovery method at that time. `at`: epoch ms, by the signing device's clock. */
const ended = {
  generation: z.int().check(z.gte(0), z.lte(2_147_483_647)),
  at: z.int().check(z.gte(0)),
  signature: Signature,
}

/**
 * The user deleted a wallet, or moved to the wallet `to`: EIP-191 by the ended wallet's EVM key over
 * {@link walletEndText}. That text names the ended wallet's addresses, which a device with its share knows.
 */
export const WalletEnd = z.discriminatedUnion('what', [
  z.object({ what: z.literal('deleted'), ...ended }),
  z.object({ what: z.literal('replaced'), to: WalletAddresses, ...ended }),
])
export type WalletEnd = z.infer<typeof WalletEnd>
export type WalletEndClaim =
  | Omit<Extract<WalletEnd, { what: 'deleted' }>, 'signature'>
  | Omit<Extract<WalletEnd, { what: 'replaced' }>, 'signature'>

/** Max statements per device. */
export const maxWalletEnds = 16

/** The user's wallet (default), or the one that they moved from. */
export const WhichWallet = z.object({ which: z.optional(z.literal('previous')) })

/**
 * One device's shares. `recoveryShare` is encrypted for the current method (plain for `gateway`).
 * `proof`: EIP-191 by the EVM key over `shareProofText`.
 */
export const DeviceShares = z.object({
  deviceName: z.string().check(z.minLength(1), z.maxLength(128)),
  authShare: Sealed,
  recoveryShare: Sealed,
  proof: Signature,
  /** Older frames omit it. */
  addressProof: z.optional(AddressProof),
})
export type DeviceShares = z.infer<typeof DeviceShares>
