/** A test checks these against `@postern/protocol`. */

export type Namespace = 'eip155' | 'solana' | 'bip122'

/** CAIP-2: `eip155:1`. */
export type CaipNetworkId = `${Namespace}:${string}`

/** CAIP-122; EIP-4361 on EVM. Times are ISO 8601. */
export type SignInMessage = {
  accountAddress: string
  chainId: CaipNetworkId
  /** Authority of the page: `example.com`, `localhost:3000`. */
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

/** `message`: the exact signed text. `cacao`: CAIP-74, if the wallet returned one. */
export type SignInSession = {
  data: SignInMessage
  message: string
  signature: string
  cacao?: unknown
}

/** `toString` returns the text to sign. */
export type SignInText = SignInMessage & { toString(): string }

/** For `createPostern({ siwx })`. */
export type Siwx = {
  createMessage(input: { chainId: CaipNetworkId; accountAddress: string }): Promise<SignInText>
  /** Rejects an invalid session. The user sees the reason. */
  addSession(session: SignInSession): Promise<void>
  /** Both must match. */
  revokeSession(chainId: CaipNetworkId, address: string): Promise<void>
  /** Replaces all. */
  setSessions(sessions: SignInSession[]): Promise<void>
  getSessions(chainId: CaipNetworkId, address: string): Promise<SignInSession[]>
  /** The user must sign in to continue. Default: true. */
  getRequired?(): boolean
  /** Default: true. */
  signOutOnDisconnect?: boolean | undefined
}
