import type { CaipNetworkId, Namespace } from '@postern/protocol'

export type Row = { readonly label: string; readonly value: string }

/** A question that waits for the owner's approval. */
export type Question = {
  readonly id: number
  readonly kind: 'connect' | 'request'
  /** Unverified. */
  readonly dapp: { readonly name: string; readonly url: string }
  readonly title: string
  readonly rows: readonly Row[]
  /** The exact text or bytes to sign. */
  readonly raw?: string | undefined
}

export type Received = {
  readonly id: number
  readonly topic: string
  readonly chainId: string
  readonly method: string
  readonly params: unknown
}

export type MobileSession = {
  readonly topic: string
  readonly dapp: { readonly name: string; readonly url: string }
  /** CAIP-10. */
  readonly accounts: readonly string[]
  /** Unix time in seconds. */
  readonly expiry: number
}

export type MobileNetwork = {
  readonly id: CaipNetworkId
  readonly name: string
  /** JSON-RPC, or Esplora for Bitcoin. */
  readonly url: string
}

export type MobileWalletSnapshot = {
  readonly questions: readonly Question[]
  readonly sessions: readonly MobileSession[]
  readonly networks: readonly MobileNetwork[]
  /** Networks for the next approval. */
  readonly granted: readonly CaipNetworkId[]
  readonly active: { readonly [N in Namespace]?: CaipNetworkId | undefined }
  /** Index of the account in every namespace. */
  readonly account: number
  readonly addresses: {
    readonly eip155: string
    readonly solana: string
    readonly payment: string
    readonly ordinals: string
  }
  readonly autoApprove: boolean
  /** Whether the wallet supports `wc_sessionAuthenticate`. */
  readonly signsIn: boolean
  /** Oldest first. */
  readonly received: readonly Received[]
  readonly problem: string | null
}

/** Prompt for the owner, and the action after approval. */
export type Task = {
  readonly title: string
  readonly rows: readonly Row[]
  readonly raw?: string | undefined
  run(): Promise<unknown>
}

export type TaskContext = {
  readonly chainId: CaipNetworkId
  readonly account: number
  /** JSON-RPC or Esplora; absent for an unknown network. */
  readonly url: string | undefined
  readonly fetch: typeof globalThis.fetch
}

/** What the wallet does in a namespace. */
export type MobileNamespace = {
  readonly name: string
  readonly methods: readonly string[]
  readonly events: readonly string[]
  /** The main address of an account. */
  address(account: number): string
  task(method: string, params: unknown, context: TaskContext): Promise<Task>
  /** Data of `chainChanged`. Default: the network's id. */
  chainChanged?(id: CaipNetworkId): unknown
  sessionProperties?(account: number): Record<string, string>
}

/** Throws the node's own error. */
export type JsonRpc = (method: string, params: unknown) => Promise<unknown>
