import type { Connection } from '@postern/protocol'
import type { SessionState } from './machine'
import type { StoredSession } from './stored'

/**
 * `leave`: another tab ended it, while this tab connects another wallet. `end`: another tab ended it. `replace`:
 * another tab connected another wallet. `restore`: a stored session is not connected here.
 */
export type SyncPlan = 'none' | 'leave' | 'end' | 'replace' | 'restore'

export function isRestoring(connection: Connection): boolean {
  const { status } = connection
  return status === 'reconnecting' || (status === 'connecting' && connection.accounts !== undefined)
}

/** How a session becomes equal to the stored one. `stableId` is null if unknown. */
export function planSync(
  { connection, attempt }: SessionState,
  stableId: string | null,
  stored: Pick<StoredSession, 'stableId'> | null,
): SyncPlan {
  if (connection.status === 'disconnected') return stored === null ? 'none' : 'restore'
  // A wallet that the user is connecting is not stored yet.
  if (connection.status !== 'connected' && !isRestoring(connection)) return 'none'
  if (stored === null) return connection.status === 'connected' && attempt !== null ? 'leave' : 'end'
  return stableId === null || stableId === stored.stableId ? 'none' : 'replace'
}
