/** Sign-in with the wallet reports itself: no snapshot says who closed the prompt. */
import { type Namespace, namespaces } from '@postern/protocol'
import type { HostSnapshot, SignInEvent } from '../../snapshot/contract'
import type { TrackedTransaction } from '../../snapshot/money'
import { isCarriedOut } from '../transaction/watch'

export type TrackedEvent = {
  readonly event: string
  readonly properties?: Readonly<Record<string, string | boolean>>
  /** Sent only if allowed. */
  readonly address?: string
}

export type TrackedState = Pick<
  HostSnapshot,
  'open' | 'connections' | 'connectAttempt' | 'signIn' | 'activeNetworkId' | 'transactions'
>

export const initialState: TrackedState = {
  open: false,
  connections: {},
  connectAttempt: null,
  signIn: null,
  activeNetworkId: null,
  transactions: [],
}

/**
 * The events between two snapshots.
 *
 * 1. Properties are names of wallets, networks and kinds; never an address, amount, hash, email address or typed text.
 * 2. A restored session is not a connection.
 */
export function eventsBetween(before: TrackedState, after: TrackedState): readonly TrackedEvent[] {
  const connected = isConnected(after)
  return [
    ...(after.open && !before.open ? [{ event: 'MODAL_OPEN', properties: { connected } }] : []),
    ...attempts(before, after),
    ...namespaces.flatMap((namespace) => connections(namespace, before, after)),
    ...switches(before, after),
    ...after.transactions.flatMap((transaction) => transfers(transaction, before)),
    ...(before.open && !after.open ? [{ event: 'MODAL_CLOSE', properties: { connected } }] : []),
  ]
}

function isConnected({ connections }: Pick<HostSnapshot, 'connections'>): boolean {
  return Object.values(connections).some((connection) => connection?.status === 'connected')
}

function attempts(
  { connectAttempt: was, signIn: wasIn }: TrackedState,
  { connectAttempt: is, signIn }: TrackedState,
): TrackedEvent[] {
  const events: TrackedEvent[] = []
  if (is !== null && was?.row.id !== is.row.id)
    events.push({ event: 'SELECT_WALLET', properties: { name: is.row.name, platform: is.via } })
  if (is !== null && was !== null && is.status.kind !== was.status.kind) {
    const properties = { name: is.row.name, platform: is.via }
    if (is.status.kind === 'declined') events.push({ event: 'USER_REJECTED', properties })
    if (is.status.kind === 'failed')
      events.push({ event: 'CONNECT_ERROR', properties: { ...properties, code: is.status.code } })
  }
  if (signIn !== null && wasIn === null) events.push({ event: 'SIGN_IN', properties: { method: methodOf(signIn) } })
  return events
}

function methodOf(signIn: NonNullable<TrackedState['signIn']>): string {
  return signIn.kind === 'social' ? signIn.provider : signIn.kind
}

function connections(namespace: Namespace, before: TrackedState, after: TrackedState): TrackedEvent[] {
  const [was, is] = [before.connections[namespace], after.connections[namespace]]
  if (was?.status === is?.status) return []
  if (is?.status === 'connected') {
    const { signIn, connectAttempt } = before
    const method = signIn === null ? connectAttempt?.via : methodOf(signIn)
    if (method === undefined) return []
    return [{ event: 'CONNECT_SUCCESS', properties: { namespace, method, name: is.connector.name } }]
  }
  const isEnd = was?.status === 'connected' && (is === undefined || is.status === 'disconnected')
  return isEnd ? [{ event: 'DISCONNECT_SUCCESS', properties: { namespace } }] : []
}

function switches(before: TrackedState, after: TrackedState): TrackedEvent[] {
  const { activeNetworkId: was } = before
  const { activeNetworkId: network } = after
  if (was === null || network === null || was === network || !isConnected(before)) return []
  return [{ event: 'SWITCH_NETWORK', properties: { network } }]
}

export function toTrackedEvent(event: SignInEvent): TrackedEvent {
  const { networkId: network, address } = event
  const properties = event.kind === 'failed' ? { network, code: event.code } : { network }
  return { event: signInNames[event.kind], properties, address }
}

const signInNames: Readonly<Record<SignInEvent['kind'], string>> = {
  signClicked: 'CLICK_SIGN_SIWX_MESSAGE',
  cancelClicked: 'CLICK_CANCEL_SIWX',
  signed: 'SIWX_AUTH_SUCCESS',
  failed: 'SIWX_AUTH_ERROR',
}

const names: Readonly<Record<TrackedTransaction['purpose']['kind'], string>> = {
  send: 'SEND',
  swap: 'SWAP',
  approve: 'SWAP_APPROVAL',
  pay: 'PAY',
}
function endOf({ status }: TrackedTransaction): string | null {
  switch (status.kind) {
    case 'asking':
      return 'INITIATED'
    case 'declined':
      return 'REJECTED'
    case 'failed':
      return 'ERROR'
    case 'sent':
      return null
    case 'ended':
      if (isCarriedOut(status)) return 'SUCCESS'
      return status.outcome.kind === 'unknown' ? null : 'ERROR'
  }
}

function transfers(transaction: TrackedTransaction, { transactions }: TrackedState): TrackedEvent[] {
  const { id, networkId, purpose, status } = transaction
  const was = transactions.find((one) => one.id === id)
  const end = endOf(transaction)
  if (end === null || was?.status.kind === status.kind) return []
  return [{ event: `${names[purpose.kind]}_${end}`, properties: { network: networkId } }]
}
