import type { CaipNetworkId, SignInSession } from '../types'

/** Where a page keeps its visitor's sessions. One for each account and chain: a new one takes the place of the old. */
export type SessionStore = {
  /** Rejects where the session is refused. */
  add(session: SignInSession): Promise<void>
  /** Both must match. */
  revoke(chainId: CaipNetworkId, address: string): Promise<void>
  /** These in the place of all that there were. */
  set(sessions: readonly SignInSession[]): Promise<void>
  all(): Promise<readonly SignInSession[]>
  /** A nonce that whoever checks the sessions gave out. Absent: the page makes its own. */
  nonce?(): Promise<string>
  /** Calls when the sessions may be others than they were, from this page or another tab. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void
}
