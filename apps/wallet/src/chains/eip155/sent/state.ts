import type { Clock } from '@postern/base/clock'
import type { Notes } from '../../notes'
import type { Fees } from '../endpoints/fees'
import { createSent, type Sent } from './sent'

export type EvmState = {
  readonly sent: Sent
  /** JSON, by the hash of a prepared operation. */
  readonly paymasterContexts: Map<string, string>
  /** Fees that nodes refused, by the hash of a note. */
  readonly floors: Map<string, Fees>
}

export function createState(notes?: Notes, clock?: Pick<Clock, 'now'>): EvmState {
  return { sent: createSent(notes, clock), paymasterContexts: new Map(), floors: new Map() }
}
