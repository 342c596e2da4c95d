/** `@postern/siwx` has a ready-made plugin. */
import type { CaipNetworkId } from './entities'

/** A CAIP-122 message; EIP-4361 on EVM. Times are ISO 8601. */
export type SignInMessage = {
  accountAddress: string
  chainId: CaipNetworkId
  /** `example.com`, `localhost:3000`. */
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

/** `message` is the exact signed text; `cacao` the CAIP-74 object, if provided. */
export type SignInSession = {
  data: SignInMessage
  message: string
  signature: string
  cacao?: unknown
}

/**
 * A sign-in plugin.
 * If a callback throws, hangs or returns an invalid value, the user sees an error and can retry.
 */
export type Siwx = {
  /** `toString()` returns the exact text to sign. */
  createMessage(input: {
    chainId: CaipNetworkId
    accountAddress: string
  }): Promise<SignInMessage & { toString(): string }>
  /** Rejects if the session is invalid. */
  addSession(session: SignInSession): Promise<void>
  /** Revokes sessions that match both. */
  revokeSession(chainId: CaipNetworkId, address: string): Promise<void>
  /** Replaces all sessions. */
  setSessions(sessions: SignInSession[]): Promise<void>
  getSessions(chainId: CaipNetworkId, address: string): Promise<SignInSession[]>
  /** Default: true. */
  getRequired?(): boolean
  /** Default: true. */
  signOutOnDisconnect?: boolean | undefined
  /** Returns the unsubscribe function. */
  subscribe?(listener: () => void): () => void
}

/** The older configuration: one session, EVM only. Rejected together with `siwx`. */
export type SiweConfig = {
  getNonce(address?: string): Promise<string>
  /** Returns the text to sign (EIP-4361). `address` is did:pkh style: `eip155:1:0x…`. */
  createMessage(args: SiweMessageArguments): string
  /** False and a rejection both show an error. */
  verifyMessage(args: { message: string; signature: string; cacao?: unknown }): Promise<boolean>
  getSession(): Promise<{ address: string; chainId: number } | null>
  signOut(): Promise<boolean>
  getMessageParams?(): Promise<SiweMessageParams>
  onSignIn?(session?: { address: string; chainId: number }): void
  onSignOut?(): void
  /** `false` disables the configuration. */
  enabled?: boolean | undefined
  required?: boolean | undefined
  signOutOnDisconnect?: boolean | undefined
  /** Both default to true: a change ends the session. */
  signOutOnAccountChange?: boolean | undefined
  signOutOnNetworkChange?: boolean | undefined
}

/** Fields of EIP-4361. `exp` and `nbf` are ISO 8601; `chains` are EIP-155 ids. */
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

/** The dapp's fields, and those of the signing account. */
export type SiweMessageArguments = Omit<SiweMessageParams, 'chains'> & {
  address: string
  chainId: number
  nonce: string
  version: '1'
  /** ISO 8601. */
  iat: string
}
