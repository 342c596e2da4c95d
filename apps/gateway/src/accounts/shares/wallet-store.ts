/** The interface of `store.ts`. */
import type {
  AddressProof,
  Recovery,
  RecoveryProof,
  WalletAddresses,
  WalletDevice,
  WalletReplacement,
} from '@postern/protocol'
import type { Orm } from '../../platform/db/open'
import type { DataKeys, Owner, WalletId } from './data-keys'

/** `recoveryProof`: null for `gateway` of generation 0. */
export type ChosenRecovery = { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof | null }
export type Wallet = ChosenRecovery & {
  readonly addresses: WalletAddresses
  readonly addressProof: AddressProof | null
  /** Null unless the user moved here from another wallet. */
  readonly replaces: WalletReplacement | null
  readonly isExposed: boolean
}

/** A device unused for this long may be lost (ms). */
export const unusedFor = 90 * 24 * 60 * 60_000

/** `proofText`: signed by the verified proof. */
export type Split = {
  readonly deviceName: string
  readonly authShare: string
  readonly recoveryShare: string
  readonly proofText: string
  /** Verified. */
  readonly addressProof: AddressProof | null
}

/** `replayed`: the proof was used. `changed`: another method or wallet is stored. */
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
  /** 9. `replaces`: verified. `within`: runs in the transaction, once the wallet is replaced. */
  replace(
    owner: Owner,
    wallet: { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof } & {
      readonly addresses: WalletAddresses
      readonly replaces: WalletReplacement
    },
    split: Split,
    within?: (tx: Orm) => Promise<void>,
  ): Outcome<'previousExists' | 'replayed' | 'changed' | 'revoked'>
  /** Only with this EVM address. */
  deletePrevious(userId: string, eip155: string): Promise<void>
  putDevice(owner: Owner, recovery: Recovery, split: Split): Outcome<'replayed' | 'changed' | 'revoked'>
  holds(owner: Owner, proofText: string): Promise<boolean>
  /** Ignored if the method has changed. */
  setAddressProof(id: WalletId, proof: AddressProof): Promise<void>
  /** Updates the last use. */
  authShare(owner: Owner): Promise<string | null>
  /** From the last used row with a recovery share. */
  recoverable(id: WalletId): Promise<{ readonly authShare: string; readonly recoveryShare: string } | null>
  setRecovery(
    owner: Owner,
    chosen: { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof },
    split: Split,
  ): Outcome<'replayed' | 'changed' | 'revoked'>
  /**
   * `last`: the recovery opens no other row. With `keepsUsed`, a hardened wallet is `kept` then, and while the device
   * uses it.
   */
  revoke(userId: string, deviceId: string, more?: { readonly keepsUsed: boolean }): Promise<'done' | 'last' | 'kept'>
  sealOlder(): ReturnType<DataKeys['sealOlder']>
}
