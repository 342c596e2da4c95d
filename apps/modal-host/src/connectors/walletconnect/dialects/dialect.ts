import type { Account, CaipNetworkId } from '@postern/protocol'

/** A request as the wallet behind a session gets it, and how its answer is read. */
export type WireRequest = {
  readonly method: string
  readonly params: unknown
  /** The answer in the host's dialect (protocol `wallet-requests`). Throws, or rejects, where it is none. */
  readonly read: (result: unknown) => unknown
}

export type SessionState = {
  readonly networkId: CaipNetworkId
  /** The active one first. */
  readonly accounts: readonly Account[]
  /** What the session grants, by the wallet's names. */
  readonly methods: ReadonlySet<string>
  /** The session's properties as they came. */
  readonly properties: unknown
}

/** What one namespace says through WalletConnect, and how that differs from what the host says. */
export type Dialect = {
  /** Offered to wallets. */
  readonly methods: readonly string[]
  readonly events: readonly string[]
  /** Answers that need no wallet; undefined for every other method. */
  localAnswer(method: string, state: SessionState): unknown
  /** Throws INVALID_PARAMS for what is not the dialect's, UNSUPPORTED_METHOD for a method that the namespace does not have. */
  toWire(method: string, params: unknown, state: SessionState): WireRequest
}
