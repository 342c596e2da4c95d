/** The plugin of sign-in with wallet, as a dapp hands it in; `@postern/siwx` has a ready one of the same shape. */
import type { CaipNetworkId } from './entity-types'

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

/** Callbacks of the dapp's page. One that throws, hangs or answers nonsense is an error on screen, and can be tried again. */
export type Siwx = {
  /** The answer's `toString()` is the very text to sign. */
  createMessage(input: {
    chainId: CaipNetworkId
    accountAddress: string
  }): Promise<SignInMessage & { toString(): string }>
  /** Rejects where the session is not good. */
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
  /** Calls back whenever the sessions are others; returns what ends it. */
  subscribe?(listener: () => void): () => void
}

/** The older configuration: one session, EVM alone. `siwx` replaces it; both together are refused. */
export type SiweConfig = {
  getNonce(address?: string): Promise<string>
  /** `address` is a did:pkh-style account, `eip155:1:0x…`; answers with the text to sign (EIP-4361). */
  createMessage(args: SiweMessageArguments): string
  /** Whether the signature is good; false and a rejection are both an error on screen. */
  verifyMessage(args: { message: string; signature: string; cacao?: unknown }): Promise<boolean>
  getSession(): Promise<{ address: string; chainId: number } | null>
  signOut(): Promise<boolean>
  /** Fields of the message that the dapp decides. */
  getMessageParams?(): Promise<SiweMessageParams>
  onSignIn?(session?: { address: string; chainId: number }): void
  onSignOut?(): void
  /** `false` is as if there were no configuration. */
  enabled?: boolean | undefined
  required?: boolean | undefined
  signOutOnDisconnect?: boolean | undefined
  /** Absent: true, as the next. Whether a session counts for another account, or another chain. */
  signOutOnAccountChange?: boolean | undefined
  signOutOnNetworkChange?: boolean | undefined
}

/** The fields of EIP-4361 that a dapp decides. `exp` and `nbf` are ISO 8601; `chains` are EIP-155 ids. */
export type SiweMessageParams = {
  domain: string
  uri: string
  chains?: number[] | undefined
  statement?: string | undefined
  exp?: string | undefined
  nbf?: string | undefined
  requestId?: string | undefined
  resources?: string[] | undefined
}

/** What `createMessage` makes the text of: the dapp's fields, and those of the account that signs. */
export type SiweMessageArguments = Omit<SiweMessageParams, 'chains'> & {
  address: string
  chainId: number
  nonce: string
  version: '1'
  /** ISO 8601. */
  iat: string
}
