/** `raw` is in smallest units, decimal digits; `decimals` and `symbol` are absent if the token does not return them. */
export type Amount = {
  readonly raw: string
  readonly decimals?: number
  readonly symbol?: string
  /** Contract or mint; absent for the native currency. */
  readonly token?: string
  /** Only for NFTs. */
  readonly tokenId?: string
  readonly unlimited?: true
}
