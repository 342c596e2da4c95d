import type { CaipNetworkId } from './entities'

/** CAIP-122; EIP-4361 on EVM. Times are ISO 8601. */
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

/** `message`: exact signed text. `cacao`: CAIP-74, if provided. */
export type SignInSession = {
  data: SignInMessage
  message: string
  signature: string
  cacao?: unknown
}

/** A sign-in plugin, such as `@postern/siwx`. If a callback fails, the user sees an error and can retry. */
export type Siwx = {
  /** `toString()` returns the text to sign. */
  createMessage(input: {
    chainId: CaipNetworkId
    accountAddress: string
  }): Promise<SignInMessage & { toString(): string }>
  /** Rejects an invalid session. */
  addSession(session: SignInSession): Promise<void>
  /** Both must match. */
  revokeSession(chainId: CaipNetworkId, address: string): Promise<void>
  /** Replaces all. */
  setSessions(sessions: SignInSession[]): Promise<void>
  getSessions(chainId: CaipNetworkId, address: string): Promise<SignInSession[]>
  /** Default: true. */
  getRequired?(): boolean
  /** Default: true. */
  signOutOnDisconnect?: boolean | undefined
  /** Returns the unsubscribe function. */
  subscribe?(listener: () => void): () => void
}

/** Older configuration: one session, EVM only. */
export type SiweConfig = {
  getNonce(address?: string): Promise<string>
  /** EIP-4361 text. `address`: `eip155:1:0x…`. */
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
  /** Default: true; a change ends the session. */
  signOutOnAccountChange?: boolean | undefined
  signOutOnNetworkChange?: boolean | undefined
}

/** EIP-4361. `exp` and `nbf`: ISO 8601. `chains`: EIP-155 ids. */
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

export type SiweMessageArguments = Omit<SiweMessageParams, 'chains'> & {
  address: string
  chainId: number
  nonce: string
  version: '1'
  /** ISO 8601. */
  iat: string
}
