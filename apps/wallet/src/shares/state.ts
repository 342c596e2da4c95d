import type {
  Recovery,
  RecoveryChoice,
  RecoveryRule,
  WalletAddresses,
  WalletApiAnswer,
  WalletApiBody,
  WalletApiCall,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Gateway } from '../account/gateway'
import type { Session } from '../account/session'
import type { EndedWallet, NewSplit, OpenedWallet, ProvenRecovery } from '../contract'
import { isSameWallet } from '../same-wallet'
import type { Signer } from '../signing/signer'
import type { Ladder } from '../storage/ladder'
import type { Tabs } from '../storage/tabs'

/** `generation`: of the `RecoveryProof`. */
export type WalletBase = Omit<OpenedWallet, 'locked'> & { readonly generation: number }

/**
 * The wallet as this device has it.
 *
 * - `row`: the device share is in storage, the auth share at the gateway.
 * - `held`: both are in memory.
 * - `isProven`: the gateway has the address proof. For `locked`: or this device's share has the addresses.
 * - `isFollowed`: this device's share is of the previous wallet.
 */
export type WalletState =
  | (WalletBase & {
      readonly kind: 'row'
      readonly isStale: boolean
      readonly isProven: boolean
      readonly isNew?: true
    })
  | (WalletBase & { readonly kind: 'held'; readonly split: NewSplit })
  | (WalletBase & { readonly kind: 'locked'; readonly isProven: boolean; readonly isFollowed?: true })

export type NoWallet = { readonly kind: 'none'; readonly userId: string }

export type FoundWallet = WalletState | NoWallet | EndedWallet

export type ReportedWallet = NonNullable<WalletApiAnswer<'wallet'>['wallet']>

export function baseOf(userId: string, reported: ReportedWallet): WalletBase {
  const { addresses, recovery } = reported
  return { userId, addresses, recovery, generation: generationOf(reported) }
}

export type WalletOptions = {
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly session: Session
  readonly signer: Signer
  readonly tabs: Tabs
  readonly deviceName: () => string
  /** Epoch ms. */
  readonly now: () => number
  /** Opened only by this device's row, or by its passkey or passphrase. */
  readonly isPrevious?: true
  readonly rule: { readonly recovery: RecoveryRule; readonly recoveryChoice: RecoveryChoice }
}

/** @throws {Failure} HARDENED_RECOVERY_REQUIRED */
export function requireAllowed({ rule }: Pick<WalletOptions, 'rule'>, { method }: Recovery): void {
  if (rule.recovery === 'hardened' && method === 'gateway') throw new Failure('HARDENED_RECOVERY_REQUIRED')
}

/** @throws {Failure} WALLET_ADDRESSES_CHANGED */
export function requireSame(addresses: WalletAddresses, bound: WalletAddresses | undefined): void {
  if (bound !== undefined && !isSameWallet(addresses, bound)) throw new Failure('WALLET_ADDRESSES_CHANGED')
}

/** @throws {Failure} UNAUTHORIZED if another user is signed in now */
export async function callAs<C extends WalletApiCall>(
  { session, gateway }: Pick<WalletOptions, 'session' | 'gateway'>,
  userId: string,
  name: C,
  body: WalletApiBody<C>,
): Promise<WalletApiAnswer<C>> {
  const current = await session.current()
  if (current?.user.id !== userId) throw new Failure('UNAUTHORIZED')
  return gateway.call(name, body, { session: current })
}

export async function storeOf({ ladder }: Pick<WalletOptions, 'ladder'>) {
  return (await ladder.current()).store
}

export function generationOf({ recoveryProof }: Pick<ProvenRecovery, 'recoveryProof'>): number {
  return recoveryProof?.generation ?? 0
}
