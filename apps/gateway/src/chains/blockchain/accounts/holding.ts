import type { CaipNetworkId } from '@postern/protocol'

/** In smallest units. */
export type Holding = {
  readonly chainId: CaipNetworkId
  /** Null for the native currency. */
  readonly address: string | null
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly amount: bigint
  /** Its name is trusted, and it gets its symbol's picture. */
  readonly isListed: boolean
}

export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/** Path on the gateway; empty without a picture. */
export function iconOf(symbol: string, hasTokenImage: (symbol: string) => boolean): string {
  return hasTokenImage(symbol) ? `/public/getTokenImage/${encodeURIComponent(symbol)}` : ''
}
