/**
 * The user's signed choice of a recovery method.
 *
 * 1. A recovery share is made only for a method that the share's own key signed, whatever the gateway claims.
 * 2. Only a new wallet's method `gateway` (generation 0) needs no signature.
 * 3. The code that stores the newest generation rejects older ones.
 */
import { canonicalJson, type Recovery, type RecoveryProof, recoveryProofText } from '@postern/protocol'
import { isPersonalMessageOf, signPersonalMessage } from '../chains/eip155/keys/sign'
import type { ProvenRecovery } from '../contract'
import { hexOf, utf8 } from './bytes'
import type { WalletKeys } from './derive'
import { keyFailure } from './failure'

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
