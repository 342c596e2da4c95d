/** The prices are fixed; the pools start with them but move with swaps. */

/** US cents per whole coin. */
export const centsOf = {
  ETH: 250_000n,
  DUSD: 100n,
  GEM: 200n,
  SOL: 15_000n,
  SDUSD: 100n,
  BTC: 6_000_000n,
} as const
export type Priced = keyof typeof centsOf

/** Hundredths of the currency per US dollar. */
export const currencies = { USD: 100n, EUR: 90n, GBP: 80n } as const
export type Currency = keyof typeof currencies
export const isCurrency = (text: string): text is Currency => Object.hasOwn(currencies, text)

/** Price of one whole coin in hundredths of the currency. */
export const centsIn = (currency: Currency, asset: Priced): bigint => (centsOf[asset] * currencies[currency]) / 100n
