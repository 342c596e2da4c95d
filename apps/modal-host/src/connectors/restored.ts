import type { ErrorCode } from '@postern/protocol'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Restored, WalletSession } from './connector'

/**
 * @param read null without an account
 * @param refusals failures by which the wallet grants no account
 */
export async function restoredBy(
  read: () => Promise<WalletSession | null>,
  refusals: ReadonlySet<ErrorCode> = new Set(),
): Promise<Restored> {
  try {
    const session = await read()
    return session === null ? { kind: 'ended' } : { kind: 'granted', session }
  } catch (thrown) {
    const failure = asFailure(thrown)
    return refusals.has(failure.code) ? { kind: 'ended' } : { kind: 'unknown', failure }
  }
}
