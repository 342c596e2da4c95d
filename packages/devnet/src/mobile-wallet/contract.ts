/** What a person, a page or a test sees of the mobile wallet, and what each namespace's part of it gives. */
import type { CaipNetworkId, Namespace } from '@postern/protocol'

export type Row = { readonly label: string; readonly value: string }

/** Something that waits for the owner's yes or no. */
export type Question = {
  readonly id: number
  readonly kind: 'connect' | 'request'
  /** What the dapp says of itself; nobody proved it. */
  readonly dapp: { readonly name: string; readonly url: string }
  readonly title: string
  readonly rows: readonly Row[]
  /** The exact text or bytes to be signed. */
  readonly raw?: string | undefined
}

/** A request that came, as the wallet got it. */
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
  /** Networks that the next approval grants. */
  readonly granted: readonly CaipNetworkId[]
  /** The network of each namespace that the owner looks at. */
  readonly active: { readonly [N in Namespace]?: CaipNetworkId | undefined }
  /** Index of the active account in every namespace. */
  readonly account: number
  readonly addresses: {
    readonly eip155: string
    readonly solana: string
    readonly payment: string
    readonly ordinals: string
  }
  readonly autoApprove: boolean
  /** Whether it signs in while it connects, for dapps that ask for it (`wc_sessionAuthenticate`); others do not know the method. */
  readonly signsIn: boolean
  /** Everything that dapps asked since the wallet was started, oldest first. */
  readonly received: readonly Received[]
  /** What went wrong last, for the owner. */
  readonly problem: string | null
}

/** What a namespace makes of a request: what to show, and what to do once the owner agreed. */
export type Task = {
  readonly title: string
  readonly rows: readonly Row[]
  readonly raw?: string | undefined
  run(): Promise<unknown>
}

export type TaskContext = {
  readonly chainId: CaipNetworkId
  readonly account: number
  /** JSON-RPC or Esplora; absent for a network that the wallet does not know. */
  readonly url: string | undefined
  readonly fetch: typeof globalThis.fetch
}

/** JSON-RPC over HTTP, with the node's own error. */
export type JsonRpc = (method: string, params: unknown) => Promise<unknown>
