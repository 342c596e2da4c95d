import type { Connection, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Sessions } from '../connections/sessions/sessions'
import { isRestoring } from '../connections/sessions/sync-plan'

type Connected = Extract<Connection, { status: 'connected' }>

/**
 * The connection that a request is for, once no session is being restored. Null without one, and if another account was
 * restored than the page showed at the time of the request.
 *
 * @throws {Failure} DISCONNECTED if the wallet could not be asked
 */
export async function restoredConnection(
  sessions: Pick<Sessions, 'connection' | 'restored'>,
  namespace: Namespace,
): Promise<Connected | null> {
  const before = sessions.connection(namespace)
  await sessions.restored(namespace)
  const now = sessions.connection(namespace)
  if (now.status === 'reconnecting') throw new Failure('DISCONNECTED')
  if (now.status !== 'connected') return null
  return isRestoring(before) && firstAddress(before) !== firstAddress(now) ? null : now
}

function firstAddress(connection: Connection): string | undefined {
  return connection.status === 'disconnected' ? undefined : connection.accounts?.[0]?.address
}
