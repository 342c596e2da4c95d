/** Estimated token prices. */
import { type CaipNetworkId, namespaceOf } from '@postern/protocol'
import { addressKey } from '@postern/protocol/namespaces/facts'

/** `address` may be `nativeAddressOf`. */
export type Asset = { readonly chainId: CaipNetworkId; readonly address: string }

/** By `assetKey`; only priced assets. */
export type PriceMap = ReadonlyMap<string, number>

/** @param currency ISO 4217, lower case. */
export type PriceSource = (assets: readonly Asset[], currency: string) => Promise<PriceMap>

/** CAIP-10; EVM addresses in lower case. */
export function assetKey({ chainId, address }: Asset): string {
  return `${chainId}:${addressKey(namespaceOf(chainId), address)}`
}

const places = 12

/** `amount`: in smallest units. Rounded down to hundredths. */
export function worthOf(amount: bigint, decimals: number, price: number): number {
  const scaled = BigInt(Math.round(price * 10 ** places))
  return Number((amount * scaled * 100n) / 10n ** BigInt(decimals + places)) / 100
}
