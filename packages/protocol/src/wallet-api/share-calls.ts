import * as z from 'zod/mini'
import { WalletDevice, WalletRecovery } from '../wallet-frame/entities'
import { Code, Id, Nothing } from './fields'
import {
  AddressProof,
  DeviceShares,
  maxWalletEnds,
  Recovery,
  RecoveryProof,
  Sealed,
  Signature,
  WalletAddresses,
  WalletEnd,
  WalletReplacement,
  WhichWallet,
} from './wallet-shares'

export const shareCalls = {
  wallet: {
    path: '/wallet',
    session: true,
    body: WhichWallet,
    answer: z.object({
      wallet: z.nullable(
        z.object({
          addresses: WalletAddresses,
          recovery: Recovery,
          /** Null for generation 0. */
          recoveryProof: z.nullable(RecoveryProof),
          /** Null if none since the method last changed. */
          addressProof: z.nullable(AddressProof),
          /** Optional members: absent from older gateways. */
          replaces: z.optional(z.nullable(WalletReplacement)),
          /** Two shares were once stored unencrypted: an old copy of the gateway's data may open the wallet. */
          isExposed: z.optional(z.boolean()),
          devices: z.array(WalletDevice),
          /** Not yet seen on this device. */
          recoveries: z.optional(z.array(WalletRecovery)),
          /** No recovery share for the current method: submit a new split. */
          stale: z.boolean(),
        }),
      ),
      /** Wallets of which this device had a share. */
      ends: z.optional(z.array(WalletEnd).check(z.maxLength(maxWalletEnds))),
    }),
  },
  /** `chosen`: default `gateway`. HARDENED_RECOVERY_REQUIRED. */
  createWallet: {
    path: '/wallet/create',
    session: true,
    body: z.object({
      addresses: WalletAddresses,
      shares: DeviceShares,
      chosen: z.optional(z.object({ recovery: Recovery, recoveryProof: RecoveryProof })),
    }),
    answer: Nothing,
  },
  /** Moves the user; the old wallet's rows stay. HARDENED_RECOVERY_REQUIRED for `gateway`. */
  replaceWallet: {
    path: '/wallet/replace',
    session: true,
    body: z.object({
      addresses: WalletAddresses,
      shares: DeviceShares,
      recovery: Recovery,
      recoveryProof: RecoveryProof,
      signature: Signature,
      /** The previous wallet's statement. Older frames omit it. */
      end: z.optional(WalletEnd),
      otp: z.optional(Code),
    }),
    answer: Nothing,
  },
  deletePrevious: {
    path: '/wallet/previous/delete',
    session: true,
    body: z.object({ addresses: WalletAddresses, otp: z.optional(Code), end: z.optional(WalletEnd) }),
    answer: Nothing,
  },
  /** Adds this device, or replaces its split. */
  putDevice: {
    path: '/wallet/device',
    session: true,
    body: z.extend(DeviceShares, WhichWallet.shape),
    answer: Nothing,
  },
  /** Only if the generation has none. */
  proveAddresses: {
    path: '/wallet/addresses',
    session: true,
    body: z.extend(AddressProof, WhichWallet.shape),
    answer: Nothing,
  },
  /** Auth share, fetched for each signature. DEVICE_REVOKED. */
  deviceShare: {
    path: '/wallet/device/share',
    session: true,
    body: WhichWallet,
    answer: z.object({ authShare: Sealed }),
  },
  /**
   * Two shares of one split, for a device without any. RECOVERY_WAITING.
   * The recovery share is encrypted unless the method is `gateway`. Needs a sign-in within 10 minutes. Notifies the
   * user.
   */
  recover: {
    path: '/wallet/recover',
    session: true,
    body: WhichWallet,
    answer: z.object({
      authShare: Sealed,
      recoveryShare: Sealed,
      recovery: Recovery,
      recoveryProof: z.nullable(RecoveryProof),
    }),
  },
  seeRecoveries: {
    path: '/wallet/recoveries/seen',
    session: true,
    body: z.object({ until: z.number() }),
    answer: Nothing,
  },
  /**
   * A method of a newer generation. HARDENED_RECOVERY_REQUIRED.
   * Deletes other devices' recovery shares until they submit new ones.
   */
  setRecovery: {
    path: '/wallet/recovery',
    session: true,
    body: z.object({
      recovery: Recovery,
      recoveryProof: RecoveryProof,
      shares: DeviceShares,
      otp: z.optional(Code),
    }),
    answer: Nothing,
  },
  /** Consumes the code before anything is shown. */
  confirmExport: { path: '/wallet/export', session: true, body: z.object({ otp: z.optional(Code) }), answer: Nothing },
  /**
   * `signature`: EIP-191 over `deviceRemovalText`; WALLET_IN_USE if missing and that device recently used a hardened
   * wallet.
   */
  revokeDevice: {
    path: '/wallet/device/revoke',
    session: true,
    body: z.object({ id: Id, signature: z.optional(Signature) }),
    answer: Nothing,
  },
  /** WALLET_IN_USE without `end`. */
  deleteAccount: {
    path: '/wallet/delete',
    session: true,
    body: z.object({ otp: z.optional(Code), end: z.optional(WalletEnd) }),
    answer: Nothing,
  },
} as const
