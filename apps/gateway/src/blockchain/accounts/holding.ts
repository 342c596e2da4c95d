import type { CaipNetworkId } from '@postern/protocol'

/** How much of one thing an account has. `amount` is whole smallest units. */
export type Holding = {
  readonly chainId: CaipNetworkId
  /** Null for the network's own currency. */
  readonly address: string | null
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly amount: bigint
  /** Named by a list of ours: what it calls itself is then what it is, and it has the picture of its symbol. */
  readonly isListed: boolean
}

/** The first and last letters of an address, for what has no name. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
