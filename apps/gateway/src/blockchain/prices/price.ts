/** What tokens cost: estimates, from whichever source this gateway has. */
import type { CaipNetworkId } from '@postern/protocol'

/** A token or, by `nativeAddressOf`, a network's own currency. */
export type Asset = { readonly chainId: CaipNetworkId; readonly address: string }

/** By `assetKey`; what has no price is left out. */
export type PriceMap = ReadonlyMap<string, number>

/** @param currency lower case ISO 4217. */
export type PriceSource = (assets: readonly Asset[], currency: string) => Promise<PriceMap>

/** CAIP-10, EVM addresses in lower case. */
export function assetKey({ chainId, address }: Asset): string {
  return `${chainId}:${chainId.startsWith('eip155:') ? address.toLowerCase() : address}`
}

/** Places after the point that a price is computed with. */
const places = 12

/** What `amount` smallest units are worth, down to hundredths; the amount itself stays exact. */
export function worthOf(amount: bigint, decimals: number, price: number): number {
  const scaled = BigInt(Math.round(price * 10 ** places))
  return Number((amount * scaled * 100n) / 10n ** BigInt(decimals + places)) / 100
}
