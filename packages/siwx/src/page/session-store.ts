import type { CaipNetworkId, SignInSession } from '../types'

/** One session per account and chain: a new one replaces the old. */
export type SessionStore = {
  /** Rejects an invalid session. */
  add(session: SignInSession): Promise<void>
  /** Both must match. */
  revoke(chainId: CaipNetworkId, address: string): Promise<void>
  /** Replaces all. */
  set(sessions: readonly SignInSession[]): Promise<void>
  all(): Promise<readonly SignInSession[]>
  /** The verifying server's nonce. Absent: the page makes its own. */
  nonce?(): Promise<string>
  /** The verifying server's clock minus this device's, in ms. */
  clockAhead?(): number
  /** Called when this page or another tab may have changed the sessions. */
  subscribe(listener: () => void): () => void
}
