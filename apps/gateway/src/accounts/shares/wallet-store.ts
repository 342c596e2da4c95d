/** What the store of the wallets' rows (`store.ts`) takes and returns. */
import type {
  AddressProof,
  Recovery,
  RecoveryProof,
  WalletAddresses,
  WalletDevice,
  WalletReplacement,
} from '@postern/protocol'
import type { DataKeys, Owner, WalletId } from './data-keys'

/** A recovery method with its owner's proof, which is null for `gateway` of generation 0. */
export type ChosenRecovery = { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof | null }
export type Wallet = ChosenRecovery & {
  readonly addresses: WalletAddresses
  readonly addressProof: AddressProof | null
  /** Null unless the user moved here from another wallet. */
  readonly replaces: WalletReplacement | null
  readonly isExposed: boolean
}

/** After this time without use, a device may be lost (ms). */
export const unusedFor = 90 * 24 * 60 * 60_000

/** A split of the key with its verified proof, which signs `proofText`. */
export type Split = {
  readonly deviceName: string
  readonly authShare: string
  readonly recoveryShare: string
  readonly proofText: string
  /** Verified for the generation of the wallet's method. */
  readonly addressProof: AddressProof | null
}

/**
 * A wallet or a previous one exists; the proof was used; the method changed or is newer, or it is another wallet; the
 * device was removed.
 */
export type Refusal = 'exists' | 'previousExists' | 'replayed' | 'changed' | 'revoked'
type Outcome<R extends Refusal> = Promise<'done' | R>

export type WalletStore = {
  find(id: WalletId): Promise<Wallet | null>
  /** This device, then by last use. */
  devices(owner: Owner): Promise<readonly (WalletDevice & { readonly recoverable: boolean })[]>
  create(
    owner: Owner,
    wallet: ChosenRecovery & { readonly addresses: WalletAddresses },
    split: Split,
  ): Outcome<'exists' | 'revoked'>
  /** 9. `replaces`: verified, with the signature of that wallet. */
  replace(
    owner: Owner,
    wallet: { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof } & {
      readonly addresses: WalletAddresses
      readonly replaces: WalletReplacement
    },
    split: Split,
  ): Outcome<'previousExists' | 'replayed' | 'changed' | 'revoked'>
  /** Only the one with this EVM address. */
  deletePrevious(userId: string, eip155: string): Promise<void>
  putDevice(owner: Owner, recovery: Recovery, split: Split): Outcome<'replayed' | 'changed' | 'revoked'>
  holds(owner: Owner, proofText: string): Promise<boolean>
  /** Ignored if the method changed since the proof was checked. */
  setAddressProof(id: WalletId, proof: AddressProof): Promise<void>
  /** Also updates the last use. Null without a row. */
  authShare(owner: Owner): Promise<string | null>
  /** The last used row with a recovery share. */
  recoverable(id: WalletId): Promise<{ readonly authShare: string; readonly recoveryShare: string } | null>
  setRecovery(
    owner: Owner,
    chosen: { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof },
    split: Split,
  ): Outcome<'replayed' | 'changed' | 'revoked'>
  /**
   * Deletes the device's rows. `last`: it has the last row that the recovery opens. With `keepsUsed`, for a wallet with
   * a passkey or passphrase: `kept` in that case, and if the device uses the wallet.
   */
  revoke(userId: string, deviceId: string, more?: { readonly keepsUsed: boolean }): Promise<'done' | 'last' | 'kept'>
  /** For a job: see {@link DataKeys}. */
  sealOlder(): ReturnType<DataKeys['sealOlder']>
}
