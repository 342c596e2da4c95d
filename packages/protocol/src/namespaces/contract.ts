/** Facts of a chain namespace. Plain data: the SDK and sign-in import it without zod. */
export type NamespaceFacts = {
  /** In the interface and in sign-in messages (CAIP-122). */
  readonly name: string
  /** Of CAIP-2. */
  readonly reference: RegExp
  /** The `id` of a network (spec §3). */
  readonly networkId: (reference: string) => number | string
  /** As a wallet reports it. Chain libraries check checksums. */
  readonly address: RegExp
  /** As a user may type it (spec §5). */
  readonly recipient: RegExp
  /** Null: case makes another address (base58). */
  readonly caseChecksum: 'EIP-55' | null
  /** Of the native currency. */
  readonly decimals: number
  /** Token address that stands for the native currency. */
  readonly nativeAddress: string
  /** Of its nodes. */
  readonly api: 'rpc' | 'esplora'
  /** Paths. */
  readonly explorer: { readonly address: string; readonly tx: string }
}
