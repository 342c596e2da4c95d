/** Facts of a chain namespace. Plain data: the SDK and sign-in import it without zod. */
export type NamespaceFacts = {
  /** Name in texts of the interface and in sign-in messages (CAIP-122). */
  readonly name: string
  /** Part of a CAIP-2 id behind the namespace. */
  readonly reference: RegExp
  /** The `id` of a network (spec §3). */
  readonly networkId: (reference: string) => number | string
  /** As a wallet reports it. Format only; chain libraries check checksums. */
  readonly address: RegExp
  /** As a user may type it (spec §5). */
  readonly recipient: RegExp
  /** The checksum that is all that case in an address means; null if another case is another account (base58). */
  readonly caseChecksum: 'EIP-55' | null
  /** Of the native currency. */
  readonly decimals: number
  /** Stands for the native currency in place of a token address. */
  readonly nativeAddress: string
  /** Paths of an explorer's pages. */
  readonly explorer: { readonly address: string; readonly tx: string }
}
