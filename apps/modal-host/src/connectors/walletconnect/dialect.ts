import type { Account, CaipNetworkId } from '@postern/protocol'

/** A request as the wallet receives it. */
export type WireRequest = {
  readonly method: string
  readonly params: unknown
  /** Returns the result in the host's dialect, or throws or rejects. */
  readonly read: (result: unknown) => unknown
}

export type SessionState = {
  readonly networkId: CaipNetworkId
  readonly accounts: readonly Account[]
  /** By the wallet's names. */
  readonly methods: ReadonlySet<string>
  readonly properties: unknown
}

export type Dialect = {
  readonly methods: readonly string[]
  readonly events: readonly string[]
  /** For methods that need no wallet; undefined for every other. */
  localAnswer(method: string, state: SessionState): unknown
  /** Builds the wallet's request. Throws INVALID_PARAMS or UNSUPPORTED_METHOD. */
  toWire(method: string, params: unknown, state: SessionState): WireRequest
}
