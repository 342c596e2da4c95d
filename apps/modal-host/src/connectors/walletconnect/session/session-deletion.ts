import type { Namespace } from '@postern/protocol'
import type { Session } from '../client/client'
import type { ClientHolder } from '../client/client-holder'
import { grantsOf } from './grant'
import type { SessionRecords } from './records'

type SessionDeletionContext = { readonly holder: ClientHolder; readonly records: SessionRecords }

/** Leaves the session in one namespace; the last one deletes it, without waiting for the wallet. */
export function leaveSession(context: SessionDeletionContext, namespace: Namespace, topic: string): void {
  const { holder, records } = context
  records.change(topic, (record) => ({ ...record, left: [...new Set([...record.left, namespace])] }))
  const session = holder.stored(topic)
  if (session === null) records.forget(topic)
  else if (isAbandoned(session, records)) deleteSession(context, topic).catch(() => {})
}

/**
 * Whether every namespace was left. False if no namespace can be read: another version may have written the session.
 */
export function isAbandoned(session: Session, records: SessionRecords): boolean {
  const { left } = records.get(session.topic)
  const granted = [...grantsOf(session.namespaces).keys()]
  return granted.length > 0 && granted.every((namespace) => left.includes(namespace))
}

/** Deletes the session here and at the wallet. Rejects if the relay is unreachable. */
export async function deleteSession({ holder, records }: SessionDeletionContext, topic: string): Promise<void> {
  const client = await holder.openFor(topic)
  if (client.session.keys.includes(topic)) {
    await client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } })
  }
  records.forget(topic)
}
