/**
 * The shapes of sign-in with wallet, whole in themselves: what a dapp's page, its server and the modal agree on.
 * `types.test.ts` holds them equal to the schemas of `@postern/protocol`.
 */

/** CAIP-2: `eip155:1`, `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`, `bip122:000000000019d6689c085ae165831e93`. */
export type CaipNetworkId = `${'eip155' | 'solana' | 'bip122'}:${string}`

/** What is signed, field by field (CAIP-122; EIP-4361 on EVM). Times are ISO 8601. */
export type SignInMessage = {
  accountAddress: string
  chainId: CaipNetworkId
  /** Authority of the dapp's page: `example.com`, `localhost:3000`. */
  domain: string
  uri: string
  version: string
  nonce: string
  statement?: string | undefined
  issuedAt?: string | undefined
  expirationTime?: string | undefined
  notBefore?: string | undefined
  requestId?: string | undefined
  resources?: string[] | undefined
}

/** A signed message. `message` is the very text that was signed; `cacao` the CAIP-74 object where a wallet gave one. */
export type SignInSession = {
  data: SignInMessage
  message: string
  signature: string
  cacao?: unknown
}

/** A message that knows its text. */
export type SignInText = SignInMessage & { toString(): string }

/** The plugin that a dapp hands in (`createPostern({ siwx })`). Everything runs in the dapp's page. */
export type Siwx = {
  createMessage(input: { chainId: CaipNetworkId; accountAddress: string }): Promise<SignInText>
  /** Rejects where the session is not good: the visitor sees the reason and can try again. */
  addSession(session: SignInSession): Promise<void>
  /** Ends the sessions of this account on this chain: both must match. */
  revokeSession(chainId: CaipNetworkId, address: string): Promise<void>
  /** Puts these in the place of all that there were. */
  setSessions(sessions: SignInSession[]): Promise<void>
  getSessions(chainId: CaipNetworkId, address: string): Promise<SignInSession[]>
  /** Whether nobody may go on without signing in. Absent: true. */
  getRequired?(): boolean
  /** Whether sessions end with the connection. Absent: true. */
  signOutOnDisconnect?: boolean | undefined
}
