/** `raw`: base units. */
export type Amount = {
  readonly raw: string
  readonly decimals?: number
  readonly symbol?: string
  /** Absent: native currency. */
  readonly token?: string
  /** The wallet or the gateway lists the token. Otherwise `symbol` is the token's own claim. */
  readonly listed?: true
  readonly tokenId?: string
  /** The taker chooses the item, from the collection or a list of which only the hash is signed. */
  readonly anyItem?: 'collection' | 'list'
  /** The bytes fit an amount (ERC-20) and an item (ERC-721). */
  readonly maybeItem?: true
  readonly unlimited?: true
  /** An allowance of at least the owner's balance. */
  readonly coversBalance?: true
  /** All that a closed account has. */
  readonly everything?: true
}

/** Amount 0, or for an item, the zero address. */
export function isRevocation(spender: string, { raw, tokenId, maybeItem }: Amount): boolean {
  return tokenId === undefined ? raw === '0' && maybeItem === undefined : /^0x0{40}$/.test(spender)
}
