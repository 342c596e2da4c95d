/** What Postern knows of a chain namespace. Plain data: the SDK and sign-in import it without zod. */
export type NamespaceFacts = {
  /** In sign-in messages (CAIP-122). */
  readonly name: string
  /** Of a CAIP-2 id: the part behind the namespace. */
  readonly reference: RegExp
  /** The `id` of a network (spec §3) from its reference. */
  readonly networkId: (reference: string) => number | string
  /** An account's address, as its wallet reports it. Format only; chain libraries check checksums. */
  readonly address: RegExp
  /** An address that a user may type (spec §5). */
  readonly recipient: RegExp
  /** The checksum that is all that case in an address means; null if another case is another account (base58). */
  readonly caseChecksum: 'EIP-55' | null
  /** Of the native currency. */
  readonly decimals: number
  /** Stands for the native currency in place of a token's address. */
  readonly nativeAddress: string
  /** Paths of an explorer's pages. */
  readonly explorer: { readonly address: string; readonly tx: string }
}
