type Hex = `0x${string}`

/** `wait`: until the test answers the question. */
export type Behaviour = 'approve' | 'decline' | 'wait'

export type TestChain = {
  readonly id: number
  readonly name: string
  /** http(s). The wallet prepares and sends transactions there. */
  readonly rpcUrl: string
}

export type TestWalletOptions = {
  /** Of test accounts, 1 to 10; the first is active. Default: the first account of Anvil and Hardhat. */
  readonly privateKeys?: readonly Hex[] | undefined
  /** The first is active. Default: chain 31337 at `http://127.0.0.1:8545`. */
  readonly chains?: readonly TestChain[] | undefined
  /** Default: `approve`. */
  readonly behaviour?: Behaviour | undefined
  /** Default: `Test Wallet`. */
  readonly name?: string | undefined
  /** EIP-6963. Default: `com.example.test-wallet`. */
  readonly rdns?: string | undefined
  /** A `data:` URI of an image. */
  readonly icon?: string | undefined
}

/** What a wallet would show its user; it waits until the test answers. */
export type WalletQuestion = {
  readonly method: string
  readonly title: string
  /** For example the account, the amount and the network fee. */
  readonly rows: readonly { readonly label: string; readonly value: string }[]
  /** The exact text or bytes to sign. */
  readonly raw?: string
  approve(): void
  /** The request fails with 4001. */
  decline(): void
}

/** A request of the dapp, with what came of it. */
export type LoggedRequest = {
  readonly method: string
  readonly params: unknown
  readonly outcome:
    | { readonly status: 'pending' }
    | { readonly status: 'fulfilled'; readonly result: unknown }
    | { readonly status: 'rejected'; readonly code: number; readonly message: string }
}

/** What EIP-6963 says of the wallet. */
export type Announced = { readonly name: string; readonly rdns: string; readonly icon: string }

export type TestWallet = {
  /** EIP-1193. */
  readonly provider: {
    request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
    on(event: string, listener: (data: unknown) => void): void
    removeListener(event: string, listener: (data: unknown) => void): void
  }
  readonly info: Announced
  /** The active account. */
  readonly address: Hex
  /** The active chain. */
  readonly chainId: number
  /** Every request, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** From now on, for one method or (default) all. Questions that wait already go on waiting. */
  behave(behaviour: Behaviour, method?: string): void
  /**
   * The oldest question that waits, of one method or (default) any; waits for it. Rejects after `timeoutMs` (default:
   * 10 000).
   */
  question(method?: string, options?: { readonly timeoutMs?: number }): Promise<WalletQuestion>
  /** By its index in `privateKeys`. */
  switchAccount(index: number): void
  /** Throws 4902 if the wallet does not have it. */
  switchChain(chainId: number): void
  lock(): void
  unlock(): void
  /** The user takes the dapp's permission away. */
  disconnect(): void
  /** Announces the wallet in a page (default: this one) by EIP-6963. Returns a function that stops it. */
  announce(window?: Window & typeof globalThis): () => void
}
