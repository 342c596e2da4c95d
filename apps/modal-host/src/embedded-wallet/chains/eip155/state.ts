import type { Lanes } from './user-operation'

/** What the chain remembers while the frame lives. Statuses of earlier visits are found by the ids themselves (`calls-id.ts`). */
export type EvmState = {
  readonly lanes: Lanes
  /** The dapp's own id of prepared calls, by what they are. */
  readonly askedIds: Map<string, string>
  /** What was sent: the id that the dapp knows → the id that says all. */
  readonly sentIds: Map<string, string>
}

export function createState(): EvmState {
  return { lanes: new Set(), askedIds: new Map(), sentIds: new Map() }
}
