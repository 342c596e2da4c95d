import type { SessionState } from './machine'
import type { StoredSession } from './stored'

/**
 * `leave`: another tab ended the session, while this one connects another wallet. `end`: another tab ended it.
 * `replace`: another tab connected another wallet. `restore`: a stored session is not connected here.
 */
export type SyncPlan = 'none' | 'leave' | 'end' | 'replace' | 'restore'

/** Plans how a session becomes equal to the stored one. `stableId`: its connector's; null before that is found. */
export function planSync(
  { connection, attempt }: SessionState,
  stableId: string | null,
  stored: Pick<StoredSession, 'stableId'> | null,
): SyncPlan {
  if (connection.status === 'disconnected') return stored === null ? 'none' : 'restore'
  const isRestoring =
    connection.status === 'reconnecting' || (connection.status === 'connecting' && connection.accounts !== undefined)
  // A wallet that the user is connecting is not stored yet.
  if (connection.status !== 'connected' && !isRestoring) return 'none'
  if (stored === null) return connection.status === 'connected' && attempt !== null ? 'leave' : 'end'
  return stableId === null || stableId === stored.stableId ? 'none' : 'replace'
}
