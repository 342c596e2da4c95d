/** Solana and Bitcoin: WalletConnect's methods, prefixed by namespace. */
import * as z from 'zod/mini'
import { BitcoinAddress, CaipNetworkId, SolanaAddress } from './caip'
import { wellFormed } from './validation/well-formed'

/** Padded. */
const Base64 = z.string().check(z.minLength(1), z.maxLength(262_144), z.regex(/^[A-Za-z0-9+/]+={0,2}$/))
/** 64 bytes of ed25519. */
const SolanaSignature = z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/))
const Base58 = z.string().check(z.minLength(1), z.maxLength(65_536), z.regex(/^[1-9A-HJ-NP-Za-km-z]+$/))
const TransactionId = z.string().check(z.regex(/^[0-9a-f]{64}$/))
/** Whole satoshis. */
const Satoshis = z.string().check(z.regex(/^(0|[1-9][0-9]{0,15})$/))

/** For the endpoint; not signed. */
export const SendOptions = z.object({
  skipPreflight: z.optional(z.boolean()),
  preflightCommitment: z.optional(z.enum(['processed', 'confirmed', 'finalized'])),
  maxRetries: z.optional(z.int().check(z.gte(0))),
  minContextSlot: z.optional(z.int().check(z.gte(0))),
})

const solanaCommon = { pubkey: z.optional(SolanaAddress), network: z.optional(CaipNetworkId) }

/** Source: https://docs.walletconnect.network/wallet-sdk/chain-support/solana */
export const solanaRequests = {
  solana_getAccounts: { params: z.optional(z.object({})), result: z.array(z.object({ pubkey: SolanaAddress })) },
  solana_requestAccounts: { params: z.optional(z.object({})), result: z.array(z.object({ pubkey: SolanaAddress })) },
  solana_disconnect: { params: z.optional(z.object({})), result: z.unknown() },
  /** `signedMessage`: set if the wallet changed the message. */
  solana_signMessage: {
    params: z.object({ ...solanaCommon, message: Base58 }),
    result: z.object({ signature: SolanaSignature, signedMessage: z.optional(Base58) }),
  },
  /** Wire format. The result has it only if the wallet returns it. */
  solana_signTransaction: {
    params: z.object({ ...solanaCommon, transaction: Base64 }),
    result: z.object({ signature: SolanaSignature, transaction: z.optional(Base64) }),
  },
  solana_signAllTransactions: {
    params: z.object({ ...solanaCommon, transactions: z.array(Base64).check(z.minLength(1), z.maxLength(64)) }),
    result: z.object({ transactions: z.array(Base64) }),
  },
  solana_signAndSendTransaction: {
    params: z.object({ ...solanaCommon, transaction: Base64, sendOptions: z.optional(SendOptions) }),
    result: z.object({ signature: SolanaSignature }),
  },
} as const

export const BitcoinAccount = z.object({
  address: BitcoinAddress,
  /** Hex: 33 bytes, or a taproot key's 32. */
  publicKey: z.optional(z.string().check(z.regex(/^[0-9a-f]{64,66}$/i))),
  path: z.optional(z.string().check(z.maxLength(64))),
  purpose: z.enum(['payment', 'ordinals']),
})
export type BitcoinAccount = z.infer<typeof BitcoinAccount>

export const PsbtInput = z.object({
  index: z.int().check(z.gte(0)),
  address: BitcoinAddress,
  sighashTypes: z.optional(z.array(z.int().check(z.gte(0), z.lte(255)))),
})
export type PsbtInput = z.infer<typeof PsbtInput>

/** Source: https://docs.walletconnect.network/wallet-sdk/chain-support/bitcoin */
export const bip122Requests = {
  bip122_getAccountAddresses: { params: z.optional(z.object({})), result: z.array(BitcoinAccount) },
  bip122_requestAccounts: {
    params: z.optional(z.object({ network: z.optional(CaipNetworkId) })),
    result: z.array(BitcoinAccount),
  },
  bip122_disconnect: { params: z.optional(z.object({})), result: z.unknown() },
  /** Null if unknown. */
  bip122_getNetwork: { params: z.optional(z.object({})), result: z.nullable(CaipNetworkId) },
  bip122_switchNetwork: { params: z.object({ network: CaipNetworkId }), result: z.unknown() },
  /** `signature`: 65-byte recoverable ECDSA, or a BIP-322 witness. */
  bip122_signMessage: {
    params: z.object({
      address: BitcoinAddress,
      message: z.string().check(z.maxLength(65_536), z.regex(wellFormed)),
      protocol: z.optional(z.enum(['ecdsa', 'bip322'])),
    }),
    result: z.object({ address: BitcoinAddress, signature: Base64 }),
  },
  /** `txid`: with `broadcast`. */
  bip122_signPsbt: {
    params: z.object({
      psbt: Base64,
      signInputs: z.array(PsbtInput).check(z.maxLength(1024)),
      broadcast: z.optional(z.boolean()),
    }),
    result: z.object({ psbt: Base64, txid: z.optional(TransactionId) }),
  },
  bip122_sendTransfer: {
    params: z.object({
      /** Default: the first payment address. */
      account: z.optional(BitcoinAddress),
      recipientAddress: BitcoinAddress,
      amount: Satoshis,
      changeAddress: z.optional(BitcoinAddress),
      /** Satoshis per virtual byte. */
      feeRate: z.optional(z.number().check(z.positive(), z.lte(10_000))),
    }),
    result: z.object({ txid: TransactionId }),
  },
} as const

export type SolanaMethod = keyof typeof solanaRequests
export type SolanaParams<M extends SolanaMethod> = z.infer<(typeof solanaRequests)[M]['params']>
export type SolanaResult<M extends SolanaMethod> = z.infer<(typeof solanaRequests)[M]['result']>
export type Bip122Method = keyof typeof bip122Requests
export type Bip122Params<M extends Bip122Method> = z.infer<(typeof bip122Requests)[M]['params']>
export type Bip122Result<M extends Bip122Method> = z.infer<(typeof bip122Requests)[M]['result']>
