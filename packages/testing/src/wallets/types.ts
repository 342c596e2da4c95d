type Hex = `0x${string}`

/** `wait`: the question waits until the test answers it. */
export type Behaviour = 'approve' | 'decline' | 'wait'

export type TestChain = {
  readonly id: number
  readonly name: string
  /** http(s). The wallet prepares and sends transactions there. */
  readonly rpcUrl: string
}

export type TestWalletOptions = {
  /** 1 to 10 keys; the first account is active. Default: the first account of Anvil and Hardhat. */
  readonly privateKeys?: readonly Hex[] | undefined
  /** The first is active. Default: chain 31337 at `http://127.0.0.1:8545`. */
  readonly chains?: readonly TestChain[] | undefined
  /** Default: `approve`. */
  readonly behaviour?: Behaviour | undefined
  /** Default: `Test Wallet`. */
  readonly name?: string | undefined
  /** EIP-6963. Default: `com.example.test-wallet`. */
  readonly rdns?: string | undefined
  /** A `data:` image. */
  readonly icon?: string | undefined
}

/** A wallet's question to its user, which waits for the test's answer. */
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

/** A request of the dapp, with its outcome. */
export type LoggedRequest = {
  readonly method: string
  readonly params: unknown
  readonly outcome:
    | { readonly status: 'pending' }
    | { readonly status: 'fulfilled'; readonly result: unknown }
    | { readonly status: 'rejected'; readonly code: number; readonly message: string }
}

/** What EIP-6963 announces. */
export type Announced = { readonly name: string; readonly rdns: string; readonly icon: string }

export type TestWallet = {
  /** EIP-1193. */
  readonly provider: {
    request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
    on(event: string, listener: (data: unknown) => void): void
    removeListener(event: string, listener: (data: unknown) => void): void
  }
  readonly info: Announced
  readonly address: Hex
  readonly chainId: number
  /** Every request, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** Sets the behaviour of one method (default: all). Waiting questions go on waiting. */
  behave(behaviour: Behaviour, method?: string): void
  /**
   * Waits for and returns the oldest open question of a method (default: any).
   * Rejects after `timeoutMs` (default: 10 000).
   */
  question(method?: string, options?: { readonly timeoutMs?: number }): Promise<WalletQuestion>
  /** `index` in `privateKeys`. */
  switchAccount(index: number): void
  /** Throws 4902 if the wallet does not have it. */
  switchChain(chainId: number): void
  lock(): void
  unlock(): void
  /** The user revokes the dapp's permission. */
  disconnect(): void
  /** Announces the wallet by EIP-6963 in a page (default: this one). Returns a stop function. */
  announce(window?: Window & typeof globalThis): () => void
}
