/** Facts of a chain namespace. Plain data: the SDK and sign-in import it without zod. */
export type NamespaceFacts = {
  /** Name in texts of the interface and in sign-in messages (CAIP-122). */
  readonly name: string
  /** The part of a CAIP-2 id after the namespace. */
  readonly reference: RegExp
  /** The `id` of a network (spec §3). */
  readonly networkId: (reference: string) => number | string
  /** As a wallet reports it. Format only; chain libraries check checksums. */
  readonly address: RegExp
  /** As a user may type it (spec §5). */
  readonly recipient: RegExp
  /** The checksum that an address writes in upper and lower case. Null: case makes another address (base58). */
  readonly caseChecksum: 'EIP-55' | null
  /** Decimals of the native currency. */
  readonly decimals: number
  /** The token address that stands for the native currency. */
  readonly nativeAddress: string
  /** API of its nodes: JSON-RPC, or Esplora's REST. The gateway has a proxy for each. */
  readonly api: 'rpc' | 'esplora'
  /** Paths of an explorer's pages. */
  readonly explorer: { readonly address: string; readonly tx: string }
}
