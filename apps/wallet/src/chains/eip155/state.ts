import type { Clock } from '@postern/protocol/clock'
import type { Notes } from '../notes'
import type { Fees } from './fees'
import { createSent, type Sent } from './sent'

export type EvmState = {
  readonly sent: Sent
  /** By content, in memory: the dapp's id of calls that are prepared but not sent. */
  readonly askedIds: Map<string, string>
  /** By the hash of an operation that is prepared but not sent: the dapp's context for the paymaster, as JSON. */
  readonly paymasterContexts: Map<string, string>
  /** By the hash of a note, in memory: what its next replacement is raised from, because nodes refused less. */
  readonly floors: Map<string, Fees>
}

export function createState(notes?: Notes, clock?: Pick<Clock, 'now'>): EvmState {
  return { sent: createSent(notes, clock), askedIds: new Map(), paymasterContexts: new Map(), floors: new Map() }
}
