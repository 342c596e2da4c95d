/**
 * The owner's choice of a recovery method, signed with the wallet's own EVM key (DESIGN §4).
 *
 * 1. A recovery share is made for no method but one that carries the signature of the very key that it is a share of. What the gateway says of a method counts for nothing.
 * 2. The method of a new wallet, the gateway's, is generation 0 and needs none; no other method does without.
 * 3. User and generation are signed along: a choice of another user, or one that was given another number, does not hold. Which generations are too old, whoever
 *    keeps the newest one knows.
 */
import { canonicalJson, type Recovery, type RecoveryProof, recoveryProofText } from '@postern/protocol'
import type { ProvenRecovery } from '../contract'
import { hexOf, utf8 } from './bytes'
import type { WalletKeys } from './derive'
import { keyFailure } from './failure'
import { isPersonalMessageOf, signPersonalMessage } from './sign-eip155'

type Keys = Pick<WalletKeys, 'eip155'>

export function chooseRecovery(
  keys: Keys,
  {
    userId,
    recovery,
    generation,
  }: { readonly userId: string; readonly recovery: Recovery; readonly generation: number },
): RecoveryProof {
  return { generation, signature: signPersonalMessage(messageOf(userId, recovery, generation), keys.eip155) }
}

/** Throws UNPROVEN_RECOVERY. */
export function requireChosen(keys: Keys, userId: string, { recovery, recoveryProof }: ProvenRecovery): void {
  const isChosen =
    recoveryProof === null
      ? recovery.method === 'gateway'
      : isPersonalMessageOf(keys.eip155, messageOf(userId, recovery, recoveryProof.generation), recoveryProof.signature)
  if (!isChosen) throw keyFailure('UNPROVEN_RECOVERY')
}

function messageOf(userId: string, recovery: Recovery, generation: number): `0x${string}` {
  const text = recoveryProofText({ userId, generation, recovery: canonicalJson(recovery) })
  return `0x${hexOf(utf8(text))}`
}
