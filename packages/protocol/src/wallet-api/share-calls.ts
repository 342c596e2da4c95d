/** The wallet's shares, devices and end. */
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
          /** Null if no device has submitted one since the recovery method last changed. */
          addressProof: z.nullable(AddressProof),
          /** Set if the user moved from another wallet. Older gateways omit it, and `isExposed`. */
          replaces: z.optional(z.nullable(WalletReplacement)),
          /** The gateway once stored two shares unencrypted: an old copy of its data may open the wallet. */
          isExposed: z.optional(z.boolean()),
          devices: z.array(WalletDevice),
          /** Recoveries on other devices that this device has not seen. Older gateways omit it. */
          recoveries: z.optional(z.array(WalletRecovery)),
          /** No recovery share for the current method: this device submits a new split when it next has the key. */
          stale: z.boolean(),
        }),
      ),
      /** Statements of ended wallets of which this device had a share, if any. */
      ends: z.optional(z.array(WalletEnd).check(z.maxLength(maxWalletEnds))),
    }),
  },
  /** `chosen`: recovery method of the shares; default: `gateway`. HARDENED_RECOVERY_REQUIRED. */
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
  /**
   * Moves the user to a new wallet, which the gateway cannot recover: HARDENED_RECOVERY_REQUIRED for `gateway`.
   * The old rows stay, as the previous wallet.
   */
  replaceWallet: {
    path: '/wallet/replace',
    session: true,
    body: z.object({
      addresses: WalletAddresses,
      shares: DeviceShares,
      recovery: Recovery,
      recoveryProof: RecoveryProof,
      signature: Signature,
      /** The previous wallet's statement that it has ended. Older frames omit it. */
      end: z.optional(WalletEnd),
      otp: z.optional(Code),
    }),
    answer: Nothing,
  },
  /** Deletes the gateway's shares of the previous wallet. `end`: its statement, as in `deleteAccount`. */
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
  /** Stores the address proof of the current generation, if the wallet has none. */
  proveAddresses: {
    path: '/wallet/addresses',
    session: true,
    body: z.extend(AddressProof, WhichWallet.shape),
    answer: Nothing,
  },
  /** This device's auth share, fetched for each signature. DEVICE_REVOKED once the device is removed. */
  deviceShare: {
    path: '/wallet/device/share',
    session: true,
    body: WhichWallet,
    answer: z.object({ authShare: Sealed }),
  },
  /**
   * Two shares of one split, for a device without any.
   * The recovery share is encrypted unless the method is `gateway`. Needs a sign-in within 10 minutes. Notifies the
   * user's
   * mailbox and other devices. RECOVERY_WAITING until the project's waiting time is over.
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
  /** On this device, the user has seen the recoveries up to `until` (epoch ms). */
  seeRecoveries: {
    path: '/wallet/recoveries/seen',
    session: true,
    body: z.object({ until: z.number() }),
    answer: Nothing,
  },
  /**
   * Sets a recovery method of a newer generation, with a new split for this device.
   * The recovery shares of other devices are deleted until they submit new ones. HARDENED_RECOVERY_REQUIRED.
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
   * `signature`: EIP-191 by the wallet's EVM key over `deviceRemovalText`.
   * WALLET_IN_USE without it, if that device recently used a wallet with passkey or passphrase.
   */
  revokeDevice: {
    path: '/wallet/device/revoke',
    session: true,
    body: z.object({ id: Id, signature: z.optional(Signature) }),
    answer: Nothing,
  },
  /** `end`: the wallet's statement for other devices, if this device has its key. WALLET_IN_USE without it. */
  deleteAccount: {
    path: '/wallet/delete',
    session: true,
    body: z.object({ otp: z.optional(Code), end: z.optional(WalletEnd) }),
    answer: Nothing,
  },
} as const
