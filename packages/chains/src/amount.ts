/** `raw` is in smallest units, decimal digits; `decimals` and `symbol` are absent if the token does not return them. */
export type Amount = {
  readonly raw: string
  readonly decimals?: number
  readonly symbol?: string
  /** Contract or mint; absent for the native currency. */
  readonly token?: string
  /** A list of the wallet or the gateway names the token at this address. Otherwise `symbol` is the token's own word. */
  readonly listed?: true
  /** Only for NFTs. */
  readonly tokenId?: string
  /** The taker chooses the item: from all of the collection, or from a list of which only the hash is signed. */
  readonly anyItem?: 'collection' | 'list'
  /** By the bytes alone it is an amount (ERC-20) or the number of an item (ERC-721). */
  readonly maybeItem?: true
  readonly unlimited?: true
  /** An allowance of at least the owner's present balance. */
  readonly coversBalance?: true
  /** All that an account holds when it is closed; `raw` is what it holds now, or 0 until the chain says so. */
  readonly everything?: true
}
