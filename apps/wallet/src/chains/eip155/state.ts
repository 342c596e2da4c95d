import { createSent, type Notes, type Sent } from './sent'

/** What the chain remembers. Statuses of earlier visits are found by the ids themselves (`calls-id.ts`). */
export type EvmState = {
  readonly sent: Sent
  /** The dapp's own id of prepared calls, by what they are. */
  readonly askedIds: Map<string, string>
  /** What was sent: the id that the dapp knows → the id that says all. */
  readonly sentIds: Map<string, string>
}

export function createState(notes?: Notes): EvmState {
  return { sent: createSent(notes), askedIds: new Map(), sentIds: new Map() }
}
