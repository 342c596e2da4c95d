/** Facts of a chain namespace. Plain data: the SDK and sign-in import it without zod. */
export type NamespaceFacts = {
  /** For the interface and sign-in messages (CAIP-122). */
  readonly name: string
  /** CAIP-2. */
  readonly reference: RegExp
  /** The `id` of a network (spec §3). */
  readonly networkId: (reference: string) => number | string
  /** Format of wallets. Chain libraries check checksums. */
  readonly address: RegExp
  /** Formats that a user may type (spec §5). */
  readonly recipient: RegExp
  /** Null: case makes another address (base58). */
  readonly caseChecksum: 'EIP-55' | null
  /** Native currency. */
  readonly decimals: number
  /** Token address that stands for the native currency. */
  readonly nativeAddress: string
  /** The request for an account's balance in base units. `member`: the field of the result that has it. */
  readonly balance: {
    readonly method: string
    readonly params: (address: string) => readonly unknown[] | object
    readonly member?: string
  }
  /** API of its nodes: JSON-RPC, or Esplora's REST. The gateway has a proxy for each. */
  readonly api: 'rpc' | 'esplora'
  /** Paths. */
  readonly explorer: { readonly address: string; readonly tx: string }
}
