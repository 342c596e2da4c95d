import type { Amount } from '../amount'

/** Amount 0, or for an item, the zero address. */
export function isRevocation(spender: string, { raw, tokenId, maybeItem }: Amount): boolean {
  return tokenId === undefined ? raw === '0' && maybeItem === undefined : /^0x0{40}$/.test(spender)
}
