import { createSent, type Notes, type Sent } from './sent'

/** In memory; ids of earlier visits carry their own status data (`calls-id.ts`). */
export type EvmState = {
  readonly sent: Sent
  /** By content: the dapp's id of prepared calls. */
  readonly askedIds: Map<string, string>
  /** The dapp's id → the full id. */
  readonly sentIds: Map<string, string>
}

export function createState(notes?: Notes): EvmState {
  return { sent: createSent(notes), askedIds: new Map(), sentIds: new Map() }
}
