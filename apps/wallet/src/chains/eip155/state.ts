import type { Clock } from '@postern/protocol/clock'
import type { Notes } from '../notes'
import type { Fees } from './fees'
import { createSent, type Sent } from './sent'

export type EvmState = {
  readonly sent: Sent
  /** The dapp's id of calls that are prepared but not sent, by content. In memory. */
  readonly askedIds: Map<string, string>
  /** The dapp's paymaster context as JSON, by the hash of an operation that is prepared but not sent. */
  readonly paymasterContexts: Map<string, string>
  /** Fees that nodes refused, by the hash of a note: the next replacement rises from them. In memory. */
  readonly floors: Map<string, Fees>
}

export function createState(notes?: Notes, clock?: Pick<Clock, 'now'>): EvmState {
  return { sent: createSent(notes, clock), askedIds: new Map(), paymasterContexts: new Map(), floors: new Map() }
}
